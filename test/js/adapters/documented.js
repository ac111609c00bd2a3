'use strict';

// Runs programs of the kind that the documentations of the other libraries
// show, and those of qoper8-wt as its own README has them: their text, with
// other imports, and no more around it than a fragment needs.

const { execFile } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const { transformSync } = require('esbuild');

const ROOT = path.resolve(__dirname, '../../..');
const PACKAGES = ['@hono', 'esbuild', 'hono', 'web-csv-toolbox'];
const COMPILE = { loader: 'ts', format: 'esm', target: 'node20' };
const IMPORTS = {
  'QOper8-wt': 'sloppy-workers/qoper8',
  'qoper8-wt': 'sloppy-workers/qoper8',
  'qoper8-wt/benchmark': 'sloppy-workers/qoper8/benchmark',
  'web-csv-toolbox': './csv.mjs',
};

// The programs in the README of qoper8-wt 6.0.5, by their numbers.
const QOPER8 = {
  import: 1,
  options: 3,
  send: 6,
  handler: 8,
  'myMessage.mjs': 9,
  'asynchronous handler': 10,
  'app.mjs': 12,
  'startup module': 17,
  onStartup: 18,
  setOnStartupModule: 19,
  request: 20,
  'answer to a crashed handler': 21,
  handlerTimeout: 22,
  'answer to a handler without end': 24,
  QBackup: 25,
  recovery: 26,
  benchmark: 27,
  'benchmark, delay 140': 28,
  'benchmark, delay 10': 29,
  'benchmark with QBackup': 31,
  'handler as text': 32,
  'option for a handler as text': 34,
  'app with a handler as text': 35,
  message: 36,
  'message without callback': 37,
  log: 38,
  on: 39,
  emit: 40,
  off: 41,
  postMessage: 42,
  replyReceived: 43,
};

function dedented(code) {
  const [indent] = code.match(/^ */);
  return code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trimEnd();
}

/** The programs in the README of qoper8-wt as it is installed, by name. */
function qoper8Programs() {
  const file = path.join(ROOT, 'node_modules/qoper8-wt/README.md');
  const text = fs.readFileSync(file, 'utf8').replaceAll('\r', '');
  const indented = text.match(/^(?: {4,}\S.*\n(?:[ \t]*\n)*)+/gm);
  // The output of a run stands below a call, after two empty lines.
  const programs = indented.map((code) => code.split(/\n\n\n+ *\S*\$ /)[0]);
  return Object.fromEntries(
    Object.entries(QOPER8).map(([name, no]) => [name, dedented(programs[no])]),
  );
}

/** The same program, from the packages that are installed here. */
function withOurImports(code) {
  return code.replace(/^(import .* from )'(.*)';$/gm, (line, start, name) =>
    IMPORTS[name] ? `${start}'${IMPORTS[name]}';` : line,
  );
}

/** A folder with these files, in which the packages are found. */
function folderOf(files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'documented-'));
  const modules = path.join(folder, 'node_modules');
  fs.mkdirSync(modules);
  const link = (to, name) =>
    fs.symlinkSync(to, path.join(modules, name), 'junction');
  link(ROOT, 'sloppy');
  link(ROOT, 'sloppy-workers');
  for (const name of PACKAGES) {
    link(path.join(ROOT, 'node_modules', name), name);
  }
  for (const [name, text] of Object.entries(files)) {
    const isTypeScript = name.endsWith('.ts');
    const code = withOurImports(text);
    fs.writeFileSync(
      path.join(folder, name.replace(/\.ts$/, '.mjs')),
      isTypeScript ? transformSync(code, COMPILE).code : code,
    );
  }
  return folder;
}

/**
 * Runs `main` of the files in their folder. What ends in .ts is compiled:
 * types, and `using`, which Node 20 and 22 do not have.
 *
 * @returns {Promise<{ code: number, lines: string[], stderr: string }>}
 */
async function run(files, main = 'main.mjs') {
  const folder = folderOf(files);
  try {
    return await new Promise((resolve) => {
      execFile(
        process.execPath,
        [main.replace(/\.ts$/, '.mjs')],
        { cwd: folder, env: process.env, timeout: 300_000 },
        (error, stdout, stderr) =>
          resolve({
            code: error?.signal ?? error?.code ?? 0,
            lines: stdout.trimEnd().split('\n'),
            stderr,
          }),
      );
    });
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { qoper8Programs, run };
