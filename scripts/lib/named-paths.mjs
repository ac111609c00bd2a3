// Comments and the map name files of ours: a name that leads nowhere misleads
// its reader, and nothing else would notice a file that has moved.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { floorFolders } from './js-floors.mjs';
import { root } from './paths.mjs';

const PATH =
  /(?<![\w.:/@$}-])(?:\.\.?\/)*(?:[\w-]+\/)+[\w.-]*\w\.(?:js|mjs|cc|h|json|md)\b/g;
const foldersIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
// A path that begins with another name is somebody else's, or an example's.
const OURS = new Set(['.', 'src', 'lib', 'src/runtime'].flatMap(foldersIn));
const COMMENT = /^\s*(?:\/\/|\/?\*)(.*)$|\s\/\/ (.*)$/;

const placesOf = (path, file) =>
  [dirname(file), '.', 'src', 'lib', 'src/runtime', 'test/js'].map((folder) =>
    join(root, folder, path),
  );

const isThere = (path, file) => placesOf(path, file).some(existsSync);

const isOurs = (path) =>
  OURS.has(path.replace(/^(\.\.?\/)+/, '').split('/')[0]);

function namedIn(text) {
  return [...text.matchAll(PATH)]
    .map(([path]) => path)
    .filter((path) => isOurs(path) && !/\.gen\.|_gen\.|embedded_js/.test(path));
}

/** @returns {string[]} the files that comments of a file name in vain */
export function pathProblems(file, text) {
  return text.split('\n').flatMap((line, index) => {
    const match = COMMENT.exec(line);
    if (match === null) return [];
    return namedIn(match[1] ?? match[2])
      .filter((path) => !isThere(path, file))
      .map((path) => `${file}:${index + 1} names ${path}, which is not there`);
  });
}

// `file` (`name`, `name`): the names occur in the file.
const NAMES_IN = /`((?:[\w-]+\/)*[\w-]+\.\w+)` \(((?:`[^`]+`(?:, )?)+)\)/g;

/** @returns {string[]} names that a document finds in files without them */
function nameProblems(file, text) {
  return [...text.matchAll(NAMES_IN)].flatMap(([, path, names]) => {
    const found = placesOf(path, file).find((place) => existsSync(place));
    if (found === undefined) return [];
    const code = readFileSync(found, 'utf8');
    return [...names.matchAll(/`([^`]+)`/g)]
      .filter(([, name]) => !code.includes(name))
      .map(([, name]) => `${file} finds ${name} in ${path}, which lacks it`);
  });
}

const INVARIANT = /^\/\/ \((\d+)\)/gm;
const HELD_BY = /^\/\/ Held by: ((?:.|\n\/\/ (?!$))+)/m;

/**
 * @param {string} text of a C++ header
 * @returns {string[]} its numbered invariants of which "Held by:" has no word:
 *   one that nothing holds is a wish
 */
export function invariantProblems(file, text) {
  const head = text.slice(0, text.indexOf('#ifndef'));
  const at = head.indexOf('// Invariants\n');
  if (at < 0) return [];
  const rules = head.slice(at, head.search(/^\/\/ Held by:/m));
  const [, held = ''] = HELD_BY.exec(head) ?? [];
  return [...rules.matchAll(INVARIANT)]
    .filter(([, number]) => !held.includes(`(${number})`))
    .map(([, number]) => `${file} does not say what holds (${number})`);
}

/** @returns {string[]} what the map in src/README.md has wrong or leaves out */
export function mapProblems() {
  const file = 'src/README.md';
  const text = readFileSync(join(root, file), 'utf8');
  const missing = floorFolders
    .filter((folder) => !text.includes(`\`${folder}/\``))
    .map((folder) => `${file} does not have lib/${folder} in its map`);
  const wrong = namedIn(text.replaceAll(/[`(]/g, ' '))
    .filter((path) => !isThere(path, file))
    .map((path) => `${file} names ${path}, which is not there`);
  return [...missing, ...wrong, ...nameProblems(file, text)];
}
