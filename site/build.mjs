// Builds the site into build/site/dist and follows every link in it:
//   npm run docs

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import config from './.vitepress/config.mjs';
import { followLinks } from './links.mjs';
import { dist, root } from './paths.mjs';
import { askSearch } from './search.mjs';
import { stage } from './stage.mjs';

const documents = readdirSync(join(root, 'docs'), { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`);
await stage(documents);
await build(join(root, 'site'));

const { count, dead } = followLinks(dist);
for (const { page, link } of dead) {
  console.error(`dead link on ${page}: ${link}`);
}
console.log(`site: ${count} links, ${dead.length} dead`);
const { search } = config.themeConfig;
const lost = await askSearch(dist, search.options.miniSearch.searchOptions);
for (const words of lost) console.error(`the search does not find ${words}`);
process.exitCode = dead.length + lost.length > 0 ? 1 : 0;
