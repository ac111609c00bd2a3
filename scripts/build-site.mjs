// npm run docs: builds the documentation site into build/site/dist. Its tools
// are installed into site/ when they are not there; the package does not need
// them, and typedoc wants another TypeScript.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const site = join(root, 'site');

async function installTools() {
  if (existsSync(join(site, 'node_modules/.package-lock.json'))) return;
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const status = await passThrough('npm', args, { cwd: site });
  if (status !== 0) throw new Problem('npm ci failed in site/');
}

await main(async () => {
  await installTools();
  const build = join(site, 'build.mjs');
  const status = await passThrough(process.execPath, [build], { cwd: site });
  report('docs', status === 0 ? { passed: 1 } : { failed: 1 });
});
