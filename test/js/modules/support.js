'use strict';

const { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } =
  require('node:fs');
const os = require('node:os');
const { dirname, join } = require('node:path');

const { Worker } = require('../../../lib/index.js');

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

module.exports = { NAMES_OF_ALL, folderWith, removeFolders, runIn, runModule };
