// The floors of lib/. A file may require its own folder or a lower floor; two
// folders on one floor do not see each other.

import { dirname, posix } from 'node:path';

const FLOORS = [
  ['protocol'],
  ['base'],
  ['errors'],
  ['timers'],
  ['signals'],
  ['admission'],
  ['entries', 'payload'],
  ['observe', 'addon', 'options'],
  ['inspector', 'wire'],
  ['executors'],
  ['executors/handler', 'executors/isolate', 'executors/owned'],
  ['executors/process', 'executors/thread'],
  // Takes from processes what an owner does for any.
  ['executors/sandbox'],
  // Their one common door is executors/index.js, which stands above them.
  ['executors/index.js'],
  ['pool'],
  ['message-worker', 'time'],
  ['app', 'exporters', 'adapters'],
  ['cli'],
  // The faces of the package: lib/index.js and its like.
  ['.'],
];

// Inner folders, and the files outside that may look into them.
const DOORS = {
  'executors/isolate': /^(executors\/index|message-worker\/isolate-\w+)\.js$/,
  'executors/owned':
    /^(executors\/(process|sandbox|thread)\/|message-worker\/thread-)/,
  'executors/process': /^executors\/(index\.js$|sandbox\/)/,
  'executors/sandbox': /^executors\/index\.js$/,
  'executors/thread': /^(executors\/index|message-worker\/thread-\w+)\.js$/,
  'executors/handler': /^pool\/work-queue\.js$/,
};

const floorOfPlace = new Map(
  FLOORS.flatMap((places, floor) => places.map((place) => [place, floor])),
);

/** @returns {string} the longest place of the table that holds the file */
function placeOf(file) {
  if (floorOfPlace.has(file)) return file;
  for (let at = dirname(file); at !== '.'; at = dirname(at)) {
    if (floorOfPlace.has(at)) return at;
  }
  return '.';
}

const REQUIRED = /\b(?:require\(|import\(|from |import )'(\.[^']+)'/g;
const COMMENT = /\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs;

function requiredBy(file, text) {
  const code = text.replace(COMMENT, '');
  const folder = dirname(file);
  return Array.from(code.matchAll(REQUIRED), ([, to]) =>
    posix.join(folder, to),
  );
}

function problemInLib(from, to) {
  const [here, there] = [placeOf(from), placeOf(to)];
  if (here === there) return undefined;
  const door = DOORS[there];
  if (door !== undefined && !door.test(from)) {
    return `requires ${to}, which only ${door.source} may`;
  }
  if (floorOfPlace.get(there) < floorOfPlace.get(here)) return undefined;
  return `requires ${to}, which is not on a lower floor`;
}

/** @returns {string[]} what is wrong with the imports of a JavaScript file */
export function importProblems(file, text) {
  if (!/\.[cm]?js$/.test(file)) return [];
  const inLib = (path) => path.slice('lib/'.length);
  return requiredBy(file, text)
    .filter((to) => to.startsWith('lib/'))
    .map((to) => {
      if (file.startsWith('lib/')) return problemInLib(inLib(file), inLib(to));
      return to.startsWith('lib/protocol/')
        ? undefined
        : `requires ${to}; only lib/protocol runs in realms`;
    })
    .filter((problem) => problem !== undefined)
    .map((problem) => `${file} ${problem}`);
}

/** Every folder of the table, for the map of src/README.md. */
export const floorFolders = FLOORS.flat().filter(
  (place) => place !== '.' && !place.endsWith('.js'),
);
