// Node's own library for the isolates: src/runtime/gen/<abi>/library-*.gen.js.
// Its text comes out of the Node that a build is for and is in no repository.
// A group of src/runtime/node/groups.json is one script, whose value is
// `(scope) => modules by their id`; src/runtime/node/realm.js loads them. All
// that is changed of the text is here, and each change has to match exactly
// once: a text that has become another one fails the build.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { Problem } from './fail.mjs';
import {
  ABSTRACT,
  reflect,
  reflectedNames,
  renderPrimordials,
} from './node-primordials.mjs';
import { root } from './paths.mjs';
import { capture } from './run.mjs';
import { tighten } from './tighten.mjs';

const folder = join(root, 'src/runtime/node');
const readJson = (name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const GROUPS = readJson('groups.json');
const { absent: ABSENT, ...NATIVES } = readJson('natives.json');
const { OWN } = createRequire(import.meta.url)(join(folder, 'own.js'));

const PRIMORDIALS = 'internal/per_context/primordials';
const TAKEN = /^const \{([^{}]*)\} = primordials;\n/gm;
const BARE = /\bprimordials\.(\w+)/g;

// `process.binding` needs no flag; it is deprecated, so one day this becomes
// `--expose-internals` and internalBinding('builtins').natives.
const PRINT_TEXTS = `
const natives = process.binding('natives');
const ids = ${JSON.stringify([PRIMORDIALS])}.concat(JSON.parse(process.argv[1]));
const texts = Object.fromEntries(ids.map((id) => [id, natives[id]]));
process.stdout.write(JSON.stringify({ abi: process.versions.modules, texts }));`;

// The numbers of the compression libraries, which its binding has from C++.
const ZLIB = 'internal/zlib_constants';
const PRINT_ZLIB = `
const { constants } = require('node:zlib');
const rows = Object.entries(constants).map(([name, value]) => [name, String(value)]);
process.stdout.write(JSON.stringify(rows));`;

const printRows = (names) => `
process.stdout.write(JSON.stringify(require('node:vm').runInNewContext(
  ${JSON.stringify(`(${reflect})(${JSON.stringify(names)}, ${JSON.stringify(ABSTRACT)})`)})));`;

function ask(execPath, code, ...args) {
  const flags = ['--no-deprecation', '-e', code, ...args];
  const { status, stdout, output } = capture(execPath, flags);
  if (status !== 0) throw new Problem(`${execPath}: no library\n${output}`);
  return JSON.parse(stdout);
}

/** What Node's text is called in messages. */
const fail = (id, what) => {
  throw new Problem(`Node's ${id} is not what is expected: ${what}`);
};

function replaceOnce(id, text, from, to) {
  const pieces = text.split(from);
  if (pieces.length !== 2) fail(id, `${pieces.length - 1} times ${from}`);
  return pieces.join(to);
}

// A class of errors is made when its code is first asked for: there are 300.
function withLateErrors(text) {
  const id = 'internal/errors';
  const changes = [
    [
      '\nconst codes = {};\n',
      `
const lateCodes = { __proto__: null };
const codes = new Proxy({ __proto__: null }, {
  __proto__: null,
  get(made, code) {
    const late = lateCodes[code];
    if (late !== undefined) {
      lateCodes[code] = undefined;
      made[code] = ReflectApply(makeClassOf, undefined, late);
    }
    return made[code];
  },
});
`,
    ],
    [
      '\nfunction E(sym, val, def, ...otherClasses) {\n',
      `
function E(...definition) { lateCodes[definition[0]] = definition; }
function makeClassOf(sym, val, def, ...otherClasses) {
`,
    ],
    ['\n  codes[sym] = ErrClass;\n', '\n  return ErrClass;\n'],
  ];
  return changes.reduce(
    (all, [from, to]) => replaceOnce(id, all, from, to),
    text,
  );
}

// Widths are those of the text's own tables: ICU's are not to be had.
const withoutIcu = (text) =>
  replaceOnce(
    'internal/util/inspect',
    text,
    "if (internalBinding('config').hasIntl) {",
    'if (false) {',
  );

// The text of a false assertion's call is not to be had: up to Node 20 it is
// read from the file, by a stack that has objects; Node 26 relies on it.
function withoutFiles(text) {
  const id = 'internal/assert/utils';
  if (text.includes("require('fs')")) {
    const call = '  const call = err.stack[0];\n';
    const check = "  if (typeof call !== 'object') return;\n";
    return replaceOnce(id, text, call, `${call}${check}`);
  }
  const known = '      messageArgs = [getErrMessage(fn)];\n';
  if (!text.includes('messageArgs')) return text;
  const none =
    '      const source = getErrMessage(fn);\n      messageArgs = source === undefined ? [] : [source];\n';
  return replaceOnce(id, text, known, none);
}

// Events are shown another object than the one that has the listeners, where
// that has `kShown`: the global object is no EventTarget.
function withShown(text) {
  const id = 'internal/event_target';
  const changes = [
    // Only this of util, which brings Buffer along.
    ["require('util')", "require('internal/util/inspect')"],
    [
      'FunctionPrototypeCall(callback, this, arg)',
      'FunctionPrototypeCall(callback, this[kShown] ?? this, arg)',
    ],
    [
      "const kEvents = Symbol('kEvents');",
      "const kEvents = Symbol('kEvents');\nconst kShown = Symbol('kShown');",
    ],
    ['module.exports = {\n', 'module.exports = {\n  kShown,\n'],
  ];
  const shown = changes.reduce(
    (all, [from, to]) => replaceOnce(id, all, from, to),
    text,
  );
  const target = 'event[kTarget] = this;';
  if (shown.split(target).length !== 3) fail(id, `not twice ${target}`);
  return shown.replaceAll(target, 'event[kTarget] = this[kShown] ?? this;');
}

// A signal's time limit keeps a job going that waits for nothing else.
const withHeldTimeout = (text) =>
  replaceOnce('internal/abort_controller', text, '  timeout.unref();\n', '');

// It has no scope of Node's, and is asked what it has made.
function withScope(text) {
  const id = 'internal/per_context/domexception';
  const made = 'exports.DOMException = DOMException;\n';
  const asked = replaceOnce(
    id,
    text,
    made,
    `${made}exports.isException = (value) => internalsMap.has(value);\n`,
  );
  if (!text.includes('privateSymbols')) return asked;
  return [
    ['} = privateSymbols;', "} = internalBinding('util').privateSymbols;"],
    ['} = perIsolateSymbols;', "} = internalBinding('symbols');"],
  ].reduce((all, [from, to]) => replaceOnce(id, all, from, to), asked);
}

const CHANGES = {
  'internal/abort_controller': withHeldTimeout,
  'internal/assert/utils': withoutFiles,
  'internal/errors': withLateErrors,
  'internal/event_target': withShown,
  'internal/per_context/domexception': withScope,
  'internal/util/inspect': withoutIcu,
};

// `A, B: C` of a destructuring, as [name, alias].
const partsOf = (list) =>
  list
    .replaceAll(/\/\/.*$/gm, '')
    .split(',')
    .map((part) => part.split(':').map((word) => word.trim()))
    .filter(([name]) => name !== '')
    .map(([name, alias = name]) => [name, alias]);

// `name: { … }` in the destructuring as a statement of its own.
const NESTED =
  /^const \{([^{}]*\n) {2}(\w+): (\{[^{}]*\}),\n([^{}]*)\} = primordials;\n/gm;
const flat = (text) =>
  text.replaceAll(
    NESTED,
    'const {$1  $2,\n$4} = primordials;\nconst $3 = $2;\n',
  );

function namesOf(text) {
  const names = [];
  for (const [, list] of text.matchAll(TAKEN)) {
    for (const [name] of partsOf(list)) names.push(name);
  }
  for (const [, name] of text.matchAll(BARE)) names.push(name);
  return names;
}

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
    // In a scope of their own, because the names hide the language's.
    'return (function () {',
    names.length > 0 ? `const { ${names.join(', ')} } = primordials;` : '',
    ...owns.map((name) => `const own${name} = ${name};`),
    `return { __proto__: null,\n${methods.join(',\n')} };`,
    '})(); })',
  ];
  const code = tighten(lines.join('\n'));
  return `// Generated by scripts/bundle-runtime.mjs from Node's library; see LICENSES.gen.txt.\n${code}`;
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
  const numbers = ask(execPath, PRINT_ZLIB)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
  texts[ZLIB] =
    `'use strict';\nmodule.exports = Object.freeze({ __proto__: null, ${numbers} });\n`;
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
  for (const name of namesOf(primordials)) used.add(name);
  const reflected = ask(execPath, printRows(reflectedNames(primordials)));
  const groupOf = {};
  const files = new Map();
  const others = [...changed].filter(([group]) => group !== 'base');
  for (const [group, rows] of others) {
    for (const [id] of rows) groupOf[id] = group;
  }
  for (const [group, rows] of changed) {
    const taken = new Set();
    const methods = rows.map(([id, text]) => asMethod(id, text, taken));
    const first =
      group === 'base'
        ? `${renderPrimordials(primordials, reflected, used)}\nscope.groupOf = ${JSON.stringify(groupOf)};`
        : '';
    const text = script(methods, taken, first);
    files.set(`library-${group}.gen.js`, text);
  }
  return { abi, files };
}
