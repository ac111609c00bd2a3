'use strict';

const { spawnSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } =
  require('node:fs');
const os = require('node:os');
const { dirname, join } = require('node:path');

const { Worker } = require('../../../lib/index.js');

const IN_NODE = join(__dirname, '../../graphs/in-node.mjs');

const folders = [];

/**
 * A folder with the given files.
 *
 * @param {Record<string, string>} files text by relative path
 * @returns {string} its real path
 */
function folderWith(files) {
  const folder = realpathSync(mkdtempSync(join(os.tmpdir(), 'sw-modules-')));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function removeFolders() {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

/** The value that the export `run` of a worker's module returns. */
async function runModule(path, input = null, options = undefined) {
  const worker = await Worker.start(path, options);
  try {
    return await worker.invoke('run', input);
  } finally {
    await worker.stop();
  }
}

/** The same, given the files of a folder and the entry's name. */
function runIn(files, entry = 'main.mjs', input = undefined) {
  return runModule(join(folderWith(files), entry), input);
}

const [major] = process.versions.node.split('.').map(Number);
/** The names that every CommonJS file has for importers: Node's. */
const NAMES_OF_ALL = major < 23 ? ['default'] : ['default', 'module.exports'];

function inNode(entry) {
  const { stdout, status } = spawnSync(process.execPath, [IN_NODE, entry], {
    encoding: 'utf8',
    env: {
      ...process.env,
      NODE_OPTIONS: '--no-warnings',
      // One thread reads files in the order in which they were asked for: with
      // four, Node 20's own order is another in one of ten runs.
      UV_THREADPOOL_SIZE: '1',
    },
  });
  expect(status).toBe(0);
  const [kind, value] = JSON.parse(stdout);
  expect([kind, typeof value]).toEqual(['value', 'object']);
  return value;
}

async function inWorker(entry) {
  const worker = await Worker.start(entry);
  try {
    return await worker.invoke('f');
  } finally {
    await worker.stop();
  }
}

/** The answer of the export `f` of main.mjs; compared with Node's. */
async function logOf(files) {
  const entry = join(folderWith(files), 'main.mjs');
  const log = await inWorker(entry);
  expect(log).toEqual(inNode(entry));
  return log;
}

module.exports = {
  NAMES_OF_ALL,
  folderWith,
  logOf,
  removeFolders,
  runIn,
  runModule,
};
