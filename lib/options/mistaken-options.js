'use strict';
// Refuses misspelled options, because an option that is not read is a limit
// that does not hold. A name that resembles one of ours, or is another
// library's name for it, is refused with a suggestion. All others are ignored,
// as the specification says (section 0.2).

const { includes } = require('../base/primordials.js');

const { keys } = Object;

/**
 * Names of worker_threads, piscina, tinypool, workerpool, poolifier, bree and
 * generic-pool for our options. A name that is unknown here may be named again:
 * a limit from the call is then meant as one of the run.
 */
const ELSEWHERE = {
  __proto__: null,
  abort: 'signal',
  abortsignal: 'signal',
  args: 'input',
  arguments: 'input',
  attempts: 'retry',
  cancelsignal: 'signal',
  closetimeout: 'timeoutMs',
  closeworkerafterms: 'runTimeoutMs',
  concurrency: 'workers',
  concurrenttasksperworker: 'concurrentJobsPerWorker',
  data: 'input',
  executiontimeout: 'runTimeoutMs',
  file: 'module',
  filename: 'module',
  force: 'drain',
  idletimeout: 'idleTimeoutMs',
  isolateworkers: 'isolation',
  max: 'workers',
  maxconcurrency: 'concurrency',
  maxinactivetime: 'idleTimeoutMs',
  maxjobs: 'recycleAfterJobs',
  maxmemory: 'memoryLimitMb',
  maxmemorylimitbeforerecycle: 'recycleAboveMb',
  maxoldgenerationsizemb: 'memoryLimitMb',
  maxqueue: 'maxQueued',
  maxqueuesize: 'maxQueued',
  maxruntime: 'runTimeoutMs',
  maxsize: 'workers',
  maxtasksperworker: 'recycleAfterJobs',
  maxthreads: 'workers',
  maxworkers: 'workers',
  maxyounggenerationsizemb: 'resourceLimits',
  memorylimit: 'memoryLimitMb',
  min: 'minWorkers',
  minsize: 'minWorkers',
  minthreads: 'minWorkers',
  numberofworkers: 'workers',
  numthreads: 'workers',
  numworkers: 'workers',
  on: 'onMessage',
  oncreateworker: 'init',
  params: 'input',
  path: 'module',
  payload: 'input',
  poolsize: 'workers',
  queuelimit: 'maxQueued',
  queuesize: 'maxQueued',
  queuestrategy: 'order',
  recordtiming: 'metrics',
  retries: 'retry',
  runtimeout: 'runTimeoutMs',
  script: 'module',
  size: 'workers',
  stacksizemb: 'resourceLimits',
  startworkers: 'minWorkers',
  taskqueue: 'order',
  tasksqueueoptions: 'maxQueued',
  tasktimeout: 'runTimeoutMs',
  terminatetimeout: 'cancelGraceMs',
  threads: 'workers',
  timeout: 'timeoutMs',
  timeoutms: 'runTimeoutMs',
  transferables: 'transfer',
  transferlist: 'transfer',
  workercount: 'workers',
  workerdata: 'init',
  workerhistogram: 'metrics',
  workeroptions: 'resourceLimits',
  workerterminatetimeout: 'cancelGraceMs',
  workerthreadopts: 'resourceLimits',
  workertype: 'runtime',
};

const MAX_NAME = 64;

/** Of a name's characters, so that `set` is not taken for `key`. */
const maxEdits = ({ length }) => (length < 5 ? 1 : 2);

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
  const same = known.find((each) => each.toLowerCase() === small);
  if (same !== undefined) return same;
  let meant = ELSEWHERE[small];
  while (meant !== undefined) {
    if (known.includes(meant)) return meant;
    meant = ELSEWHERE[meant.toLowerCase()];
  }
  const isNear = (each) =>
    distance(small, each.toLowerCase()) <= maxEdits(each);
  return known.find(isNear);
}

/**
 * @param {string} operation prefix of the error's text
 * @param {string} name none of the known ones
 * @param {readonly string[]} known
 * @throws {TypeError} if it resembles a known one
 */
function refuseName(operation, name, known) {
  const meant = suggestion(name, known);
  if (meant === undefined) return;
  throw new TypeError(
    `${operation} has no option "${name}"; did you mean "${meant}"?`,
  );
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
    if (!includes(known, name)) refuseName(operation, name, known);
  }
}

const STOP_OPTIONS = ['drain', 'timeoutMs'];

/**
 * @param {string} operation prefix of the error's text
 * @param {object} bag options of `stop`
 * @throws {TypeError}
 */
const refuseMistakenStop = (operation, bag) =>
  refuseMistaken(operation, bag, STOP_OPTIONS);

module.exports = { refuseMistaken, refuseMistakenStop, refuseName };
