'use strict';
// The bodies of frames to a process; src/sandbox/host.cc reads them.

const fs = require('node:fs');
const os = require('node:os');

const { KIND_STRING } = require('../../protocol/codec/grammar.js');
const { packPayload } = require('../../wire/payload-bytes.js');
const { realmOptions } = require('../realm-options.js');
const { workingFolder } = require('../../base/working-folder.js');

const { stringify } = JSON;

function word(value) {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32LE(value, 0);
  return bytes;
}

function double(value) {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value, 0);
  return bytes;
}

function text(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([word(bytes.length), bytes]);
}

// The facts of `process` there. Of this process they tell its Node alone: no id,
// no environment, no place but those that names are resolved from.
function processFacts() {
  const { arch, platform, version, versions } = process;
  return {
    pid: 1,
    ppid: 0,
    platform,
    arch,
    version,
    versions,
    release: { name: 'node' },
    execPath: '/node',
    cwd: workingFolder(),
    debugPort: 9229,
    ids: {},
    lacks: [],
    features: Object.keys(process.features),
    packageFolder: __dirname,
    conditions: [],
    env: {},
  };
}

const systemNumbers = () => ({ fs: fs.constants, os: os.constants });

/**
 * @param {object} settings of the pool
 * @param {{ number: number, place: number }} worker
 * @returns {Buffer} of what all jobs of a process have in common
 */
const startOf = (settings, { number, place }) =>
  Buffer.concat([
    double(settings.maxModuleBytes),
    word(settings.allowEval ? 1 : 0),
    word(0),
    word(number),
    word(place),
    text(stringify(realmOptions(settings))),
    text(stringify(processFacts())),
    text(stringify(systemNumbers())),
  ]);

/** @returns {Buffer} of modules that are to be loaded, paths or specifiers */
const graphOf = (modules) =>
  Buffer.concat([word(modules.length), ...modules.map(text)]);

/** @returns {string[]} the modules that a process of the pool begins with */
function pathsOf({ init, module }) {
  const all = [init?.module, module].filter((each) => each !== undefined);
  return [...new Set(all)];
}

/**
 * @param {object} entry of a job: `{ kind, text, name }`
 * @returns {Buffer}
 */
function entryOf({ kind, text: source, name }) {
  const payload = packPayload({ kind: KIND_STRING, number: 0, text: source });
  return Buffer.concat([word(kind), word(0), word(0), text(name), payload]);
}

// A function with modules is sent as `[function,[[name, specifier], …]]`
// (lib/entries/entries.js).
const LIST = ',[[';

/** @returns {string[]} the specifiers of the modules that a function takes */
function modulesOf({ text: source }) {
  const at = source.startsWith('[') ? source.lastIndexOf(LIST) : -1;
  if (at < 0) return [];
  try {
    const list = JSON.parse(source.slice(at + 1, -1));
    return list.map(([, specifier]) => specifier);
  } catch {
    // A name has the mark in it: nothing is loaded ahead.
    return [];
  }
}

/** @returns {Buffer} of a job, before its payload */
function jobHeadOf({ id, mode, remainingMs, runMs, shared }) {
  const head = Buffer.allocUnsafe(20);
  head.writeUInt32LE(id, 0);
  head.writeUInt32LE(mode, 4);
  head.writeDoubleLE(Math.min(remainingMs, runMs), 8);
  head.writeUInt32LE(shared?.number ?? 0, 16);
  return head;
}

module.exports = {
  entryOf,
  graphOf,
  jobHeadOf,
  modulesOf,
  pathsOf,
  startOf,
  word,
};
