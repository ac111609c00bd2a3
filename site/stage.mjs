// Lays out what the site is built from in site/build/pages, with the same paths
// as in the repository, so that the documents' links between each other hold:
// the documents, whatever they link to, and the API out of the types.

import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { Application } from 'typedoc';
import { pages, root } from './paths.mjs';

const start = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  'src/README.md',
];

function linksOf(path) {
  const prose = readFileSync(join(root, path), 'utf8').replace(
    /^```.*?^```$/gms,
    '',
  );
  return Array.from(prose.matchAll(/\]\(([^)\s#]+)[^)]*\)/g), ([, to]) => to)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => posix.join(posix.dirname(path), link));
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

/** Documents become pages; other files are served as they are. */
function copyLinked(paths) {
  const seen = new Set();
  const open = [...paths];
  while (open.length > 0) {
    const path = open.pop();
    const from = join(root, path);
    // The link check finds files that are missing.
    if (seen.has(path) || !existsSync(from) || !statSync(from).isFile()) {
      continue;
    }
    seen.add(path);
    if (path === 'LICENSE') {
      copy(from, join(pages, 'LICENSE.md'));
      continue;
    }
    const isPage = path.endsWith('.md');
    if (!isPage) copy(from, join(pages, 'public', path));
    // Images are built into their page, from beside it.
    if (isPage || /\.(svg|png)$/.test(path)) copy(from, join(pages, path));
    if (isPage) open.push(...linksOf(path));
  }
}

/** One page for each class and type of each entry of the package. */
async function writeApi() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json')));
  const types = Object.values(exports)
    .map((entry) => entry.require?.types)
    .filter(Boolean);
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    entryPoints: types.map((path) => join(root, path)),
    tsconfig: join(root, 'site/tsconfig.json'),
    out: join(pages, 'api'),
    readme: 'none',
    entryFileName: 'index',
    disableSources: true,
    excludePrivate: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    useCodeBlocks: true,
    logLevel: 'Error',
  });
  const project = await app.convert();
  if (!project) throw new Error('typedoc found no types');
  await app.generateOutputs(project);
}

/** The front page: site/index.md with the README's samples, and its bullets. */
function writeFront() {
  const between = (text, from, to) => {
    const start = text.indexOf(from);
    const end = text.indexOf(to, start);
    if (start < 0 || end < 0) throw new Error(`README.md lacks ${from}${to}`);
    return text.slice(start, end);
  };
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const parts = {
    samples: between(readme, '```sh\nnpm install', '## Why not'),
    when: between(readme, '## When not to use it', '## What there is'),
    platforms: between(readme, '## Supported versions', '## From a clone'),
  };
  const text = readFileSync(join(root, 'site/index.md'), 'utf8').replace(
    /^<!-- README: (\w+) -->$/gm,
    (_all, name) => parts[name],
  );
  writeFileSync(join(pages, 'index.md'), text);
}

export async function stage(documents) {
  rmSync(pages, { recursive: true, force: true });
  copyLinked([...start, ...documents]);
  writeFront();
  await writeApi();
}
