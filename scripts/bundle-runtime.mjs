// Usage: node scripts/bundle-runtime.mjs [--check] [--node <path>]...
//
// For the Nodes at these paths, otherwise for the one that runs this.
//
// Bundles src/runtime/globals into src/runtime/gen, one ASCII script per name.
// A script's completion value is `(host, load) => exports`; bootstrap.gen.js is
// what every realm starts with (lib/bootstrap-bundle.mjs). Scripts of Node's own
// text (lib/node-library.mjs) are in a folder for each ABI. lib/adapters/qoper8 gets its
// worker for isolates (lib/qoper8-bundle.mjs). Git does not have the output,
// because it can be made again; tarballs do, because a user who builds the
// package from source has no devDependencies.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { build } from 'esbuild';

import names from '../src/runtime/globals/names.js';
import { renderBootstrap } from './lib/bootstrap-bundle.mjs';
import { LICENSE, PUBLIC, renderNodeLibrary } from './lib/node-library.mjs';
import { withOwnNames } from './lib/own-names.mjs';
import { renderQoper8Worker } from './lib/qoper8-bundle.mjs';
import { runtimePlugin, toolPlugin } from './lib/runtime-bundle-plugin.mjs';

const { INTERFACES, OPERATIONS } = names;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = join(root, 'src/runtime/globals');
const output = join(root, 'src/runtime/gen');
const qoper8Worker = '../../../lib/adapters/qoper8/worker-isolate.gen.mjs';

function scriptsIn(folder) {
  return readdirSync(join(sources, folder), { recursive: true })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => file.endsWith('.js'))
    .map((file) => file.slice(0, -'.js'.length))
    .sort();
}

const webNames = scriptsIn('web');
const nodeNames = scriptsIn('node');
// Only in the binary for Windows.
const windowsNames = scriptsIn('win32');
const entries = [
  ...webNames.map((name) => ({ name, file: `web/${name}.js` })),
  ...nodeNames.map((name) => ({
    name: `node:${name}`,
    file: `node/${name}.js`,
  })),
  ...windowsNames.map((name) => ({ name, file: `win32/${name}.js` })),
  { name: 'library', file: '../node/realm.js' },
  { name: 'loader', file: '../loader/main.js' },
];
const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    node: { type: 'string', multiple: true, default: [process.execPath] },
  },
});
const tools = ['calls', 'lexer', 'resolver', 'source-maps', 'typescript'];

const outputName = (name) => `${name.replace(/[^A-Za-z0-9]+/g, '-')}.gen.js`;

// Inside a bundle these names mean nothing: a library that looks around for
// what the runtime provides would load bundle after bundle, or itself.
const hidden = [
  ...Object.values(INTERFACES).flat(2),
  ...Object.values(OPERATIONS).flat(),
  ...['window', 'fetch'],
];

// Names that a library may find all the same, because it has no other way in;
// as they were before any user code.
const OWN =
  'var { ArrayBuffer, DataView, Promise, Uint8Array } = load.globals;';

const SHOWN = {
  blob: [OWN],
  fetch: [OWN],
  loader: ['var { Object } = host.builtins;'],
  'encoding-library': [OWN],
  urlpattern: ['({ URL } = load("internal/url"));'],
  'url-natives': [
    '({ TextDecoder, TextEncoder } = load("internal/encoding"));',
  ],
};

const BEFORE = {
  bundle: '(function (host, load) {\n',
  tool: '(function (natives) {\nvar process = { cwd: () => "/", env: {}, platform: "linux" }, URL = class URL {};\n',
};
const AFTER = {
  bundle: 'return module.exports;\n})',
  tool: 'return module.exports;\n})',
};

function bundleHead(name, code) {
  const shown = SHOWN[name] ?? [];
  const text = [...shown, code].join('\n');
  const isThere = (each) => new RegExp(`\\b${each}\\b`).test(text);
  const used = hidden.filter(isThere);
  const lines = [
    'var require = load, globalThis = load.globals;',
    'var global = globalThis, self = globalThis;',
    ...(used.length > 0 ? [`var ${used.join(', ')};`] : []),
    ...shown,
  ];
  return `${lines.join('\n')}\n`;
}

// Defining it everywhere would put it into every bundle.
const NEED_NAMES = new Set(['node:module']);

async function bundle(name, file, kind) {
  const result = await build({
    absWorkingDir: root,
    entryPoints: [join(sources, file)],
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['default'],
    target: 'chrome113',
    charset: 'ascii',
    // No program sees functions of the loader but for `require` and `Module`.
    keepNames: kind !== 'tool' && name !== 'loader',
    minifySyntax: true,
    minifyWhitespace: true,
    // Minified functions would have to be given their names one by one.
    minifyIdentifiers: kind === 'tool',
    legalComments: 'none',
    define: {
      ...(NEED_NAMES.has(name) && {
        __NODE_BUILTINS__: JSON.stringify([...nodeNames, ...PUBLIC]),
      }),
      'process.env.NODE_ENV': '"production"',
    },
    plugins: [kind === 'tool' ? toolPlugin(root) : runtimePlugin(root)],
    logLevel: 'warning',
  });
  const made = result.outputFiles[0].text;
  const code = kind === 'tool' ? made : withOwnNames(made);
  const text = [
    `// Generated by scripts/bundle-runtime.mjs from ${file}.\n`,
    BEFORE[kind],
    // Counts only where a function begins.
    code.startsWith('"use strict"') ? '"use strict";\n' : '',
    'var module = { exports: {} }, exports = module.exports;\n',
    kind === 'bundle' ? bundleHead(name, code) : '',
    code,
    AFTER[kind],
    '\n',
  ].join('');
  return { text, inputs: Object.keys(result.metafile.inputs) };
}

function packageFolder(input) {
  const match = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
  return match ? match[0] : undefined;
}

function licenseText(folder) {
  const manifest = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  const file = readdirSync(join(root, folder)).find((name) =>
    /^(licen[cs]e|copying)/i.test(name),
  );
  const text = file ? readFileSync(join(root, folder, file), 'utf8') : '';
  const head = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see text'})`;
  return `${head}\n${'-'.repeat(head.length)}\n${text.trim()}\n`;
}

async function render() {
  const files = new Map();
  const folders = new Set();
  const fileOf = {};
  const add = async (name, file, kind) => {
    const { text, inputs } = await bundle(name, file, kind);
    for (const input of inputs) {
      const folder = packageFolder(input);
      if (folder) folders.add(folder);
    }
    const output = outputName(name);
    const path = file.startsWith('win32/') ? `win32/${output}` : output;
    files.set(path, text);
    return path;
  };
  files.set(
    'bootstrap.gen.js',
    await renderBootstrap(names.installConstants(nodeNames, PUBLIC)),
  );
  files.set(qoper8Worker, await renderQoper8Worker());
  for (const { name, file } of entries) {
    fileOf[name] = await add(name, file, 'bundle');
  }
  for (const name of tools) {
    await add(`tool-${name}`, `../loader/tools/${name}.js`, 'tool');
  }
  files.set('bundles.gen.json', `${JSON.stringify(fileOf, null, 2)}\n`);
  for (const execPath of options.node) {
    const library = renderNodeLibrary(execPath);
    for (const [name, text] of library.files) {
      files.set(`${library.abi}/${name}`, text);
    }
  }
  files.set(
    'LICENSES.gen.txt',
    `Parts of these packages are bundled into this folder.\n\n${[...folders]
      .sort()
      .map(licenseText)
      .join('\n')}\n${LICENSE}`,
  );
  return files;
}

const digest = (text) => createHash('sha256').update(text).digest('hex');

// The files that are in this folder and in those that are made; a folder of
// another ABI stays as it is.
function presentFiles(files) {
  const folders = new Set([...files.keys()].map((name) => dirname(name)));
  return [...folders]
    .filter((folder) => /^(?:\.|\d+|win32)$/.test(folder))
    .flatMap((folder) => {
      const path = join(output, folder);
      if (!existsSync(path)) return [];
      return readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => (folder === '.' ? name : `${folder}/${name}`));
    });
}

function stale(files) {
  const wrong = [...files.keys()].filter((name) => {
    const path = join(output, name);
    if (!existsSync(path)) return true;
    return digest(readFileSync(path, 'utf8')) !== digest(files.get(name));
  });
  const left = presentFiles(files).filter((name) => !files.has(name));
  return [...wrong, ...left];
}

/**
 * Writes files and removes those that are no more. A file is renamed to its
 * place, because builds of two Nodes run at a time, and none may read a half.
 */
function replace(names, files) {
  mkdirSync(join(root, 'build'), { recursive: true });
  const aside = mkdtempSync(join(root, 'build/gen-'));
  try {
    for (const name of names) {
      const path = join(output, name);
      if (!files.has(name)) {
        rmSync(path, { force: true });
        continue;
      }
      const made = join(aside, basename(name));
      writeFileSync(made, files.get(name));
      mkdirSync(dirname(path), { recursive: true });
      renameSync(made, path);
    }
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function store(files) {
  let bytes = 0;
  const wrong = stale(files);
  if (wrong.length > 0) replace(wrong, files);
  for (const text of files.values()) bytes += text.length;
  const where = relative(root, output);
  console.log(`${where}: ${files.size} files, ${bytes} bytes`);
}

const files = await render();
if (options.check) {
  const wrong = stale(files);
  if (wrong.length > 0) {
    const self = basename(process.argv[1]);
    console.error(`stale: ${wrong.join(', ')}; run node scripts/${self}`);
    process.exitCode = 1;
  }
} else {
  store(files);
}
