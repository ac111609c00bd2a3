// Node's own library for the isolates: src/runtime/gen/<abi>/library-*.gen.js.
// Its text comes out of the Node that a build is for and is in no repository.
// A group of src/runtime/node/groups.json is one script, whose value is
// `(scope) => modules by their id`; src/runtime/node/realm.js loads them.
// node-changes.mjs has what is changed of the text.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { Problem } from './fail.mjs';
import { CHANGES, withClasses } from './node-changes.mjs';
import {
  ABSTRACT,
  namesOf,
  partsOf,
  reflect,
  reflectedNames,
  renderPrimordials,
} from './node-primordials.mjs';
import { root } from './paths.mjs';
import { capture } from './run.mjs';
import { fail } from './text-changes.mjs';
import { tighten } from './tighten.mjs';

const folder = join(root, 'src/runtime/node');
const readJson = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const GROUPS = readJson('groups.json');
const { absent: ABSENT, ...NATIVES } = readJson('natives.json');
const { OWN } = createRequire(import.meta.url)(join(folder, 'own.js'));

const PRIMORDIALS = 'internal/per_context/primordials';
const TAKEN = /^const \{([^{}]*)\} = primordials;\n/gm;

// `process.binding` needs no flag; it is deprecated, so one day this becomes
// `--expose-internals` and internalBinding('builtins').natives.
const PRINT_TEXTS = `
const natives = process.binding('natives');
const ids = ${JSON.stringify([PRIMORDIALS])}.concat(JSON.parse(process.argv[1]));
const texts = Object.fromEntries(ids.map((id) => [id, natives[id]]));
process.stdout.write(JSON.stringify({ abi: process.versions.modules, texts }));`;

// Numbers that Node's bindings have from C++, by the module that gives them.
const NUMBERS = {
  'internal/perf_constants': 'perf_hooks',
  'internal/zlib_constants': 'zlib',
};
const PRINT_NUMBERS = `
const { constants } = require(process.argv[1]);
const isPlain = Object.getPrototypeOf(constants) !== null;
const rows = Object.entries(Object.getOwnPropertyDescriptors(constants))
  .map(([name, { value, enumerable }]) => [name, String(value), enumerable]);
process.stdout.write(JSON.stringify({ isPlain, rows }));`;

/** @returns {string} the text of a module whose exports are these numbers */
function numbersOf(execPath, module) {
  const { isPlain, rows } = ask(execPath, PRINT_NUMBERS, module);
  const shown = rows
    .filter(([, , enumerable]) => enumerable)
    .map(([name, value]) => `${name}: ${value}`);
  const hidden = rows
    .filter(([, , enumerable]) => !enumerable)
    .map(([name, value]) => `${name}: { value: ${value} }`);
  if (!isPlain) shown.unshift('__proto__: null');
  return `'use strict';
const numbers = { ${shown.join(', ')} };
Object.defineProperties(numbers, { ${hidden.join(', ')} });
for (const name of Object.keys(numbers)) {
  Object.defineProperty(numbers, name, { __proto__: null, writable: false, configurable: false });
}
module.exports = numbers;
`;
}

// Node makes its list of the language's classes before its context has all.
const PRINT_CLASSES = `
const names = require('node:vm').runInNewContext('Object.getOwnPropertyNames(globalThis)');
const classes = names.filter((name) => /^[A-Z][a-zA-Z0-9]+$/.test(name) && name !== 'SharedArrayBuffer');
process.stdout.write(JSON.stringify(classes));`;

const printRows = (names, text) => `
process.stdout.write(JSON.stringify(require('node:vm').runInNewContext(
  ${JSON.stringify(`(${reflect})(${JSON.stringify(names)}, ${JSON.stringify(ABSTRACT)}, ${JSON.stringify(text)})`)})));`;

function ask(execPath, code, ...args) {
  const flags = ['--no-deprecation', '-e', code, ...args];
  const { status, stdout, output } = capture(execPath, flags);
  if (status !== 0) throw new Problem(`${execPath}: no library\n${output}`);
  return JSON.parse(stdout);
}

// `name: { … }` in the destructuring as a statement of its own.
const NESTED =
  /^const \{([^{}]*\n) {2}(\w+): (\{[^{}]*\}),\n([^{}]*)\} = primordials;\n/gm;
const flat = (text) =>
  text.replaceAll(
    NESTED,
    'const {$1  $2,\n$4} = primordials;\nconst $3 = $2;\n',
  );

// A module as a method. The names that it takes of the primordials are those of
// its group's script; the aliases are its own.
function asMethod(id, text, taken) {
  const aliases = [];
  const body = text.replaceAll(TAKEN, (_, list) => {
    for (const [name, alias] of partsOf(list)) {
      taken.add(name);
      if (alias !== name) aliases.push(`${alias} = own${name}`);
    }
    return '';
  });
  if (/= primordials;/.test(body)) fail(id, 'primordials taken another way');
  // The directive has to stay first.
  const own = aliases.length > 0 ? `const ${aliases.join(', ')};\n` : '';
  if (!body.includes("'use strict';\n")) fail(id, 'not strict');
  return `${JSON.stringify(id)}(exports, require, module) {'use strict';\n${own}${body}\n}`;
}

const REQUIRED = /\brequire\('([^']+)'\)/g;
const BINDING =
  /(?:const|let|var) (\{(?:[^{}]|\{[^{}]*\})*\}) = internalBinding\('(\w+)'\);/g;
const ANY_BINDING = /\binternalBinding\('(\w+)'\)/g;

// Names that a text takes of natives, and modules that it requires: each must
// be known, because otherwise it would be missed only when it is used.
function check(id, text, known) {
  for (const [, name] of text.matchAll(REQUIRED)) {
    const bare = name.replace(/^node:/, '');
    if (!known.has(bare)) fail(id, `it requires ${name}`);
  }
  for (const [, name] of text.matchAll(ANY_BINDING)) {
    if (NATIVES[name] === undefined) fail(id, `it uses natives of ${name}`);
  }
  for (const [, list, name] of text.matchAll(BINDING)) {
    const flat = list.slice(1, -1).replaceAll(/\{[^{}]*\}/g, '');
    for (const [native] of partsOf(flat.replaceAll(/=[^,]*/g, ''))) {
      if (NATIVES[name].includes(native)) continue;
      fail(id, `it takes ${native} of ${name}`);
    }
  }
}

function script(methods, taken, first) {
  const names = [...taken].sort();
  const owns = [...taken].filter((name) =>
    methods.some((method) => method.includes(`= own${name}`)),
  );
  const lines = [
    '(function (scope) {',
    'const { process, internalBinding, primordials } = scope;',
    first,
    // The scope is their own, because the names hide the language's.
    'return (function () {',
    names.length > 0 ? `const { ${names.join(', ')} } = primordials;` : '',
    ...owns.map((name) => `const own${name} = ${name};`),
    `return { __proto__: null,\n${methods.join(',\n')} };`,
    '})(); })',
  ];
  const code = tighten(lines.join('\n'));
  return `// Generated by scripts/bundle-runtime.mjs from Node's library; see LICENSES.gen.txt.\n${code}`;
}

// A function, because an object of so many names costs a realm 20 KB.
function renderGroupOf(groups) {
  const cases = [...groups]
    .filter(([group, rows]) => group !== 'base' && rows.length > 0)
    .map(([group, rows]) => {
      const ids = rows.map(([id]) => `case ${JSON.stringify(id)}: `);
      return `${ids.join('')}return ${JSON.stringify(group)};`;
    });
  return `scope.groupOf = (id) => { switch (id) { ${cases.join('\n')} } };`;
}

/** The modules of it that user code may require. */
export const PUBLIC = Object.values(GROUPS)
  .flat()
  .filter((id) => !id.startsWith('internal/'));

/** The licence of the text, for those who get it. */
export const LICENSE = readFileSync(join(folder, 'LICENSE.txt'), 'utf8');

/**
 * @param {string} execPath a Node of the ABI that is built for
 * @returns {{ abi: string, files: Map<string, string> }} by file name
 */
export function renderNodeLibrary(execPath) {
  const wanted = Object.values(GROUPS).flat();
  const { abi, texts } = ask(execPath, PRINT_TEXTS, JSON.stringify(wanted));
  const primordials = texts[PRIMORDIALS];
  const known = new Set([...wanted, ...Object.keys(OWN), ...ABSENT]);
  const used = new Set();
  const changed = new Map();
  for (const [id, module] of Object.entries(NUMBERS)) {
    texts[id] = numbersOf(execPath, module);
  }
  const inspect = 'internal/util/inspect';
  texts[inspect] = withClasses(
    inspect,
    texts[inspect],
    ask(execPath, PRINT_CLASSES),
  );
  for (const [group, list] of Object.entries(GROUPS)) {
    const rows = [];
    for (const id of list) {
      // Not every Node has all of them.
      if (typeof texts[id] !== 'string') continue;
      check(id, texts[id], known);
      const text = flat(CHANGES[id]?.(texts[id]) ?? texts[id]);
      for (const name of namesOf(text)) used.add(name);
      rows.push([id, text]);
    }
    changed.set(group, rows);
  }
  const reflected = ask(
    execPath,
    printRows(reflectedNames(primordials), primordials),
  );
  const files = new Map();
  for (const [group, rows] of changed) {
    const taken = new Set();
    const methods = rows.map(([id, text]) => asMethod(id, text, taken));
    const first =
      group === 'base'
        ? `${renderPrimordials(primordials, reflected, used)}\n${renderGroupOf(changed)}`
        : '';
    const text = script(methods, taken, first);
    files.set(`library-${group}.gen.js`, text);
  }
  return { abi, files };
}
