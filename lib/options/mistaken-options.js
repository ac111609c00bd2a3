'use strict';
// Refuses misspelled options, because an option that is not read is a limit
// that does not hold. A name that resembles one of ours, or is another
// library's name for it, is refused with a suggestion. All others are ignored,
// as the specification says (section 0.2).

const { includes } = require('../base/primordials.js');

const { keys } = Object;

/**
 * Names of worker_threads, piscina, tinypool, workerpool, poolifier and bree for
 * our options.
 */
const ELSEWHERE = {
  __proto__: null,
  closeworkerafterms: 'runTimeoutMs',
  concurrenttasksperworker: 'concurrentJobsPerWorker',
  executiontimeout: 'runTimeoutMs',
  file: 'module',
  filename: 'module',
  idletimeout: 'idleTimeoutMs',
  maxoldgenerationsizemb: 'memoryLimitMb',
  maxqueue: 'maxQueued',
  maxqueuesize: 'maxQueued',
  maxruntime: 'runTimeoutMs',
  maxthreads: 'workers',
  maxworkers: 'workers',
  memorylimit: 'memoryLimitMb',
  minthreads: 'minWorkers',
  numberofworkers: 'workers',
  poolsize: 'workers',
  queuesize: 'maxQueued',
  runtimeout: 'runTimeoutMs',
  script: 'module',
  size: 'workers',
  tasktimeout: 'runTimeoutMs',
  threads: 'workers',
  timeout: 'timeoutMs',
  timeoutms: 'runTimeoutMs',
  workerdata: 'init',
};

const MAX_NAME = 64;
const MAX_EDITS = 2;

/** Number of characters that differ; a moved one counts twice. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same);
    }
    row = next;
  }
  return row[b.length];
}

function suggestion(name, known) {
  if (name.length > MAX_NAME) return undefined;
  const small = name.toLowerCase();
  let meant = ELSEWHERE[small];
  while (meant !== undefined) {
    if (known.includes(meant)) return meant;
    // A limit from the call that is not known here is meant as one of the run.
    meant = ELSEWHERE[meant.toLowerCase()];
  }
  return known.find((each) => distance(small, each.toLowerCase()) <= MAX_EDITS);
}

/**
 * @param {string} operation prefix of the error's text
 * @param {object} bag from `plainOptions`
 * @param {readonly string[]} known
 * @throws {TypeError} for an unknown option that resembles a known one
 */
function refuseMistaken(operation, bag, known) {
  const names = keys(bag);
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    if (includes(known, name)) continue;
    const meant = suggestion(name, known);
    if (meant === undefined) continue;
    throw new TypeError(
      `${operation} has no option "${name}"; did you mean "${meant}"?`,
    );
  }
}

module.exports = { refuseMistaken };
