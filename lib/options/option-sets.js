'use strict';
// The options that each call takes, from the table. Each call reads its own and
// refuses those of the others, because an option that is not read is a limit
// that does not hold.

const { freeze } = require('../base/primordials.js');
const { readValue } = require('./read-value.js');
const { ROWS, TAKERS } = require('./table.gen.js');

/** The options of one call. Frozen. */
class OptionSet {
  /** Its rows by name; without a prototype, so that none is polluted. */
  rows = { __proto__: null };
  /** The names in the order of the table. */
  names;

  /** @param {string} taker one of TAKERS */
  constructor(taker) {
    const own = ROWS.filter(({ of }) => of.includes(taker));
    for (const row of own) this.rows[row.name] = row;
    this.names = freeze(own.map(({ name }) => name));
    freeze(this.rows);
    freeze(this);
  }

  /**
   * @param {string} subject of the error's text, which ends with `.name`
   * @param {object} bag from `plainOptions`
   * @param {string} name of a row that is not `own`
   * @param {unknown} [fallback] default: the row's
   * @returns {unknown} the option's value, checked
   * @throws see `readValue`
   */
  read(subject, bag, name, fallback = this.rows[name].fallback) {
    const value = bag[name];
    if (value === undefined) return fallback;
    return readValue(`${subject}.${name}`, value, this.rows[name]);
  }
}

const POOL = new OptionSet('pool');
const WORKER = new OptionSet('worker');
const isRead = ({ is }) => is !== 'own';

/** Names of what pools and workers have in common and read by its row. */
const SHARED = freeze(
  WORKER.names.filter((name) => name in POOL.rows && isRead(POOL.rows[name])),
);
/** Names of what pools alone have and read by its row. */
const POOLS_OWN = freeze(
  POOL.names.filter(
    (name) => !(name in WORKER.rows) && isRead(POOL.rows[name]),
  ),
);

const takers = Object.entries(TAKERS);

/** @returns {string | undefined} the first call that takes this option */
function takerOf(option) {
  const row = ROWS.filter(({ name }) => name === option);
  const found = takers.find(([id]) => row.some(({ of }) => of.includes(id)));
  return found?.[1];
}

module.exports = {
  ALL: freeze(ROWS.map(({ name }) => name)),
  BROADCAST: new OptionSet('broadcast'),
  BROADCAST_EXPORT: new OptionSet('broadcastExport'),
  CALL: new OptionSet('invoke'),
  INIT: new OptionSet('init'),
  INSPECTOR: new OptionSet('inspector'),
  MAP: new OptionSet('map'),
  MAP_EXPORT: new OptionSet('mapExport'),
  POOL,
  POOLS_OWN,
  PREWARM: new OptionSet('prewarm'),
  PROCESSOR: new OptionSet('processor'),
  PROFILE: new OptionSet('cpuProfile'),
  QUEUE: new OptionSet('queue'),
  QUEUE_CALL: new OptionSet('enqueue'),
  RETRY: new OptionSet('retry'),
  RUN: new OptionSet('run'),
  SANDBOX: new OptionSet('sandbox'),
  SHARED,
  SNAPSHOT: new OptionSet('heapSnapshot'),
  STOP: new OptionSet('stop'),
  STREAM_EXPORT: new OptionSet('streamExport'),
  WORKER,
  WORKER_CALL: new OptionSet('workerInvoke'),
  takerOf,
};
