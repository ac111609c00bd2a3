// The realm's own JavaScript as one script: src/runtime/gen/bootstrap.gen.js.
// Its files share scopes (esbuild's scope hoisting), because a realm starts
// without feedback: there, a property that is read or written costs a call of
// the runtime, a variable next to nothing.

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { parse } from 'acorn';
import { build } from 'esbuild';
import { TEXTS } from '../../lib/executors/realm-options.js';
import diagnostics from '../../lib/protocol/diagnostics.gen.js';
import wire from '../../lib/protocol/wire.gen.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

// In the order they build on each other; the last one leaves the hooks in
// `runtime.hooks`.
const PARTS = [
  'natives',
  'codec',
  'later',
  'context',
  'install-globals',
  'loader',
  'touched',
  'small-results',
  'outcomes',
  'module',
  'entries',
  'bootstrap',
];

// Those that run when something of theirs is first called (later.js).
const LATER = [
  'stacks',
  'errors',
  'uncaught',
  'missing-export',
  'parameters',
  'shared',
  'identity',
  'moves',
  'channels',
  'port',
  'host',
  'memory',
  'wasm-limits',
  'wasm-memory',
  'waiting',
  'vm-contexts',
  'lifecycle',
];

// Of those that jobs may need again and again: the code cache is to have them
// once one has (src/runtime/later.js).
const BITS = { channels: wire.Part.Channels, host: wire.Part.Host };

// The CommonJS that this repository writes, as ES modules: only those share a
// scope.
export function toEsm(text) {
  return text
    .replace(
      /^const (\{[^}]*\}|\w+) = require\(('[^']+')\);$/gm,
      (_, names, from) =>
        `import ${names.replaceAll(/(\w+): (\w+)/g, '$1 as $2')} from ${from};`,
    )
    .replace(/^module\.exports = (\{[^}]*\});$/m, 'export $1;')
    .replace(/^module\.exports = function/m, 'export default function');
}

const NUMBER = /^const ([A-Z][A-Z\d_]*) = -?[\d_.]+(?: \* [\d_.]+)*;$/gm;
const NUMBERS = 'numbers-of:';
const SYNTAX = { ecmaVersion: 'latest' };

// A file's numbers as a module of their own, because esbuild writes a number in
// the place of its name only where the file that has it imports nothing.
function takeNumbers(path, text, modules) {
  const numbers = [...text.matchAll(NUMBER)];
  if (numbers.length === 0) return text;
  modules.set(path, numbers.map(([line]) => `export ${line}`).join('\n'));
  const names = numbers.map(([, name]) => name).join(', ');
  const from = JSON.stringify(`${NUMBERS}${path}`);
  return `import { ${names} } from ${from};\n${text.replaceAll(NUMBER, '')}`;
}

const TABLES = {
  STATUS: Object.fromEntries(
    Object.values(diagnostics.DIAGNOSTICS).map(({ id, name }) => [name, id]),
  ),
};

const WIRE = /^const \{([^}]*)\} = require\('[^']*wire\.gen\.js'\);$/m;

// The tables of numbers that a file has from wire.gen.js.
function withWireNumbers(text) {
  const match = WIRE.exec(text);
  if (match === null) return text;
  const names = match[1].match(/\w+/g);
  const used = new RegExp(`(?<![.\\w])(${names.join('|')})\\.(\\w+)`, 'g');
  return text.replace(WIRE, '').replace(used, (each, table, name) => {
    const value = wire[table]?.[name];
    if (value === undefined) throw new Error(`${each}: no such number`);
    return String(value);
  });
}

// Numbers instead of tables, of which every isolate would make the shapes.
function numberOf(text, table, name) {
  const value = TABLES[table][name];
  if (value === undefined) throw new Error(`${text}: no such entry`);
  return String(value);
}

const OF_THE_REALM =
  /\b(Array|Error|Function|Map|Object|Promise|Set|String|WeakMap|WeakSet)\.prototype\b|= (Object|Reflect|Math|JSON|Symbol)\b|new (Map|Promise|Set|WeakMap|WeakSet)\b/;

// Its imports, and all else as the body of a function. What it takes of the
// realm it has from primordials.js.
function asFunction(path, contents) {
  const imports = [];
  const body = contents.replaceAll(/^import [^;]*;$/gm, (each) => {
    imports.push(each);
    return '';
  });
  if (OF_THE_REALM.test(body.replaceAll(/\/\/.*$/gm, ''))) {
    throw new Error(`${path}: takes what user code may have changed`);
  }
  return `${imports.join('\n')}\nexport function run() {${body}}\n`;
}

// The table of later.js.
function renderParts() {
  const imports = LATER.map(
    (part, n) => `import { run as part${n} } from './${part}.js';`,
  );
  const rows = LATER.map(
    (part, n) => `'${part}': { run: part${n}, bit: ${BITS[part] ?? 0} }`,
  );
  return `${imports.join('\n')}
export const makeParts = () => ({ __proto__: null, ${rows.join(', ')} });
`;
}

function asModule(path, constants, numbers) {
  const part = basename(path, '.js');
  if (part === 'parts') return renderParts();
  const text = toEsm(withWireNumbers(readFileSync(path, 'utf8')));
  const contents = takeNumbers(path, text, numbers)
    .replace(/\b__([A-Z_]+)__\b/g, (_, name) => JSON.stringify(constants[name]))
    .replace(/\b(STATUS)\.(\w+)/g, numberOf)
    .replace(
      /\boptions\.(cancelledText|noMemoryText|noRoomText|payloadTexts)\b/g,
      (_, name) => JSON.stringify(TEXTS[name]),
    );
  if (/\b(require\(|module\.exports =)/.test(contents)) {
    throw new Error(`${path}: an import or export that is not understood`);
  }
  if (LATER.includes(part)) return asFunction(path, contents);
  return `${contents}\nexport {};\n${END}\n`;
}

// Stands where a file ends, because no minifier moves anything across it.
const END = 'debugger;';
// Above it V8 keeps a table of a scope's names in every isolate: 16 KB for 350.
const MOST_NAMES = 75;

const countNames = ({ type, properties, elements }) =>
  type === 'Identifier' ? 1 : (properties ?? elements).length;

function countDeclared(text) {
  let count = 0;
  for (const { type, declarations } of parse(text, SYNTAX).body) {
    if (type === 'FunctionDeclaration') count += 1;
    if (type !== 'VariableDeclaration') continue;
    for (const { id } of declarations) count += countNames(id);
  }
  return count;
}

// Scopes within each other: a file sees the ones before it, and imports none
// behind it.
function nest(files) {
  const scopes = [];
  let names = MOST_NAMES;
  for (const file of files) {
    const more = countDeclared(file);
    names += more;
    if (names <= MOST_NAMES) {
      scopes[scopes.length - 1] += file;
    } else {
      scopes.push(file);
      names = more;
    }
  }
  return scopes.join('(function () {\n') + '})();'.repeat(scopes.length - 1);
}

/**
 * @param {Record<string, unknown>} constants what __NAME__ stands for
 * @returns {Promise<string>} its completion value is a function of (native,
 *   runtime)
 */
export async function renderBootstrap(constants) {
  const numbers = new Map();
  const result = await build({
    absWorkingDir: root,
    stdin: {
      contents: PARTS.map((part) => `import './${part}.js';`).join('\n'),
      resolveDir: join(root, 'src/runtime'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'chrome113',
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    // The parts are all side effect, whatever package.json says of files.
    ignoreAnnotations: true,
    treeShaking: true,
    plugins: [
      {
        name: 'sloppy-bootstrap',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^\.\/parts\.js$/ }, () => ({
            path: join(root, 'src/runtime/parts.js'),
          }));
          onResolve({ filter: new RegExp(`^${NUMBERS}`) }, ({ path }) => ({
            path: path.slice(NUMBERS.length),
            namespace: NUMBERS,
          }));
          onLoad({ filter: /\.js$/, namespace: NUMBERS }, ({ path }) => ({
            contents: numbers.get(path),
          }));
          onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: asModule(path, constants, numbers),
          }));
        },
      },
    ],
    logLevel: 'warning',
  });
  return [
    '// Generated by scripts/bundle-runtime.mjs from src/runtime/*.js.\n',
    "(function (native, runtime) {'use strict';\n",
    nest(result.outputFiles[0].text.split(END)),
    '})\n',
  ].join('');
}
