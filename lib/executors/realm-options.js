'use strict';

const {
  NO_MEMORY_TEXT,
  NO_ROOM_TEXT,
  PAYLOAD_REFUSALS,
} = require('../protocol/details.js');
const { isCloned } = require('../protocol/codec/grammar.js');
const { Code, DIAGNOSTICS } = require('../protocol/diagnostics.gen.js');

const { keys } = Object;
// The limit of the top level of a pool's module.
const DEFAULT_MODULE_MS = 30_000;

// Read now, because built-ins may be replaced before the first job of a pool.
const status = {};
for (const { id, name } of Object.values(DIAGNOSTICS)) status[name] = id;

/** Texts of src/runtime's own errors, which bootstrap.gen.js has already. */
const TEXTS = {
  cancelledText: `${Code.JobCancelled}: ${DIAGNOSTICS[Code.JobCancelled].message}`,
  noMemoryText: `${Code.ResourceLimit}: ${NO_MEMORY_TEXT}`,
  noRoomText: `${Code.ResourceLimit}: ${NO_ROOM_TEXT}`,
  payloadTexts: PAYLOAD_REFUSALS.map((row) =>
    row === undefined ? '' : `${row.code}: ${row.text}`,
  ),
};

// A message worker loads its module as part of its first job.
function moduleMsOf({ module, moduleMs = DEFAULT_MODULE_MS, port }) {
  return module === undefined || port === true ? undefined : moduleMs;
}

/**
 * The options of src/runtime for a pool.
 *
 * @param {object} settings of the pool
 * @returns {object} plain data
 */
function realmOptions(settings) {
  return {
    maxResultBytes: settings.maxResultBytes,
    clone: isCloned(settings.carry) ? true : undefined,
    module: settings.module,
    moduleMs: moduleMsOf(settings),
    port: settings.port,
    shared: settings.concurrentJobsPerWorker > 1,
    init:
      settings.init === undefined
        ? undefined
        : { module: settings.init.module, timeoutMs: settings.init.timeoutMs },
    allowWasm: settings.allowWasm,
    memoryLimitMb: settings.memoryLimitMb,
    host: settings.host === undefined ? undefined : keys(settings.host),
  };
}

/** The same with the tables that the build puts into bootstrap.gen.js. */
function ownedOptions(settings) {
  const status = {};
  for (const { id, name } of Object.values(DIAGNOSTICS)) status[name] = id;
  const { maxModuleBytes, nice, recycleAboveMb = Infinity } = settings;
  const concurrency = settings.concurrentJobsPerWorker;
  const more = { concurrency, maxModuleBytes, nice, recycleAboveMb, status };
  return { ...realmOptions(settings), ...TEXTS, ...more };
}

module.exports = { TEXTS, realmOptions, ownedOptions };
