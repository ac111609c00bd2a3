// The promises of the documents, tried:
// - every js block of README.md and docs/guide-*.md runs as a program of its
//   own; a text block that follows it directly is what it must print,
// - every relative link of the documents leads to a file that is there, and
//   its #anchor to a heading,
// - no line of prose is HTML to the site.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { root } from './lib/paths.mjs';
import { programsOf, tryProgram } from './lib/programs.mjs';
import { report } from './lib/results.mjs';

const docs = readdirSync(join(root, 'docs'), { recursive: true })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'examples/README.md',
  'src/README.md',
  ...docs,
];
const isTried = (path) =>
  path === 'README.md' || path.startsWith('docs/guide-');

const read = (path) => readFileSync(join(root, path), 'utf8');

/** Inside the package, so that it may import the package by name. */
const folder = join(root, 'build/readme');

const slug = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

function hasAnchor(path, anchor) {
  const headings = readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm);
  return Array.from(headings, ([, text]) => slug(text)).includes(anchor);
}

const proseOf = (path) => read(path).replace(/^```.*?^```$/gms, '');

/** Lines that begin with a tag, also of a span of code, end the site's build. */
const tagsOf = (path) => proseOf(path).match(/^<[a-z/].*$/gim) ?? [];

function badLinksOf(path) {
  const prose = proseOf(path);
  const links = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, to]) => to);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file, anchor] = link.split('#');
    const target = file ? resolve(root, dirname(path), file) : join(root, path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !hasAnchor(target, anchor);
  });
}

const counts = { passed: 0, failed: 0 };
function tell(name, problem) {
  counts[problem ? 'failed' : 'passed'] += 1;
  if (!problem) return;
  console.log(`  FAIL ${name}`);
  for (const line of problem.trimEnd().split('\n'))
    console.log(`    | ${line}`);
}

mkdirSync(folder, { recursive: true });
for (const path of documents) {
  if (!existsSync(join(root, path))) {
    tell(path, 'there is no such document');
    continue;
  }
  tell(`${path}: links`, badLinksOf(path).join('\n'));
  tell(`${path}: lines that begin with a tag`, tagsOf(path).join('\n'));
  if (!isTried(path)) continue;
  const programs = programsOf(path);
  if (programs.length === 0 && path === 'README.md') {
    tell(path, 'no js block was found');
  }
  for (const program of programs) {
    tell(program.name, await tryProgram(program, folder));
  }
}
rmSync(folder, { recursive: true, force: true });
report('readme', counts);
