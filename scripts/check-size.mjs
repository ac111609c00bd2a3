// A source file over 600 lines fails, one over 300 is named.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';

const aim = 300;
const limit = 600;
const folders = [
  'src',
  'binding',
  'bin',
  'lib',
  'types',
  'scripts',
  'test',
  'bench',
  'examples',
  'site',
  'cmake',
];
const files = listFiles(folders, /\.(h|cc|js|mjs|cjs|ts|mts|cmake)$/).filter(
  (path) =>
    !/(\.gen\.|_gen\.|\/fixtures\/|\/data\/|node_modules|^site\/build)/.test(
      path,
    ),
);
for (const file of files) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
  if (lines > limit) {
    console.error(`${file} has ${lines} lines, more than ${limit}`);
    process.exitCode = 1;
  } else if (lines > aim) {
    console.log(`${file} has ${lines} lines; aim for ${aim}`);
  }
}
