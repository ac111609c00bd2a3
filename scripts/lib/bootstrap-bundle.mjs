// The realm's own JavaScript as one script: src/runtime/gen/bootstrap.gen.js.
// One scope for all of it (esbuild's scope hoisting), because a realm starts
// without feedback: there, a property that is read or written costs a call of
// the runtime, a variable next to nothing.

import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

function asModule(path, constants) {
  const part = basename(path, '.js');
  if (part === 'parts') return renderParts();
  const contents = toEsm(withWireNumbers(readFileSync(path, 'utf8')))
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
  return `${contents}\nexport {};\n`;
}

/**
 * @param {Record<string, unknown>} constants what __NAME__ stands for
 * @returns {Promise<string>} its completion value is a function of (native,
 *   runtime)
 */
export async function renderBootstrap(constants) {
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
    treeShaking: false,
    plugins: [
      {
        name: 'sloppy-bootstrap',
        setup({ onLoad, onResolve }) {
          onResolve({ filter: /^\.\/parts\.js$/ }, () => ({
            path: join(root, 'src/runtime/parts.js'),
          }));
          onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: asModule(path, constants),
          }));
        },
      },
    ],
    logLevel: 'warning',
  });
  return [
    '// Generated by scripts/bundle-runtime.mjs from src/runtime/*.js.\n',
    "(function (native, runtime) {'use strict';\n",
    result.outputFiles[0].text,
    '})\n',
  ].join('');
}
