'use strict';

const { append, bareList } = require('../base/bare.js');
const { workerError } = require('../protocol/sloppy-worker-error.js');
const { Code } = require('../protocol/diagnostics.gen.js');
const { OwnMap } = require('../base/primordials.js');
const { JobMode } = require('../protocol/wire.gen.js');

// The bound of numbers, which the addon keeps in 32 bits of a job.
const MAX_NUMBER = 2 ** 32 - 1;

// No two values or lists of this process have the same number, because an older
// one may linger in the place of a job.
let lastNumber = 0;

function nextNumber() {
  lastNumber = lastNumber === MAX_NUMBER ? 1 : lastNumber + 1;
  return lastNumber;
}

function tooLarge(name, bytes, limitMb) {
  const mb = (bytes / 2 ** 20).toFixed(1);
  const text =
    `what the pool shares would take ${mb} MB with "${name}", ` +
    `and a worker may have ${limitMb} MB (memoryLimitMb)`;
  return workerError(Code.ResourceLimit, text);
}

function changedMeanwhile(name) {
  return new TypeError(`"${name}" was changed by a getter of its own value.`);
}

/** The versions that jobs see which were submitted between two changes. */
class Table {
  number = nextNumber();
  /** Jobs that hold it. */
  jobs = 0;

  /**
   * @param {Shares} shares
   * @param {OwnMap} versions `{ number, bytes, tables }` by name
   */
  constructor(shares, versions) {
    this.shares = shares;
    this.versions = versions;
    versions.forEach((version) => {
      version.tables += 1;
    });
  }

  /** @returns {Array<[string, number]>} for the workers */
  names() {
    const names = bareList();
    this.versions.forEach(({ number }, name) => {
      append(names, [name, number]);
    });
    return names;
  }
}

/**
 * The values that a pool shares with its workers. A job holds the table that was
 * current when it was submitted, from then until its worker is done with it; a
 * value is dropped with the last table that has it, or when it is released.
 *
 * The executor has `sharedEncoder` (a PayloadEncoder), `sharedCarry` (one of
 * Carry), `holdShared(number, encoded)`, `dropShared(numbers)`, and `sharedTaken()`, the number of times
 * that workers have decoded one.
 */
class Shares {
  #executor;
  // Whether its jobs need not be objects while nothing is shared.
  #takesPlain;
  // The newest versions by name.
  #versions = new OwnMap();
  // null while nothing is shared.
  #current = null;
  #encodes = 0;

  /** @param {PoolExecutor} executor */
  constructor(executor) {
    this.#executor = executor;
    this.#takesPlain = executor.takesPlain;
  }

  has(name) {
    return this.#versions.has(name);
  }

  /**
   * Shares a value, or another one instead, with jobs that are submitted from
   * now on.
   *
   * @param {string} name
   * @param {unknown} value
   * @param {object} [before] the version that it replaces
   * @returns {object} its version
   * @throws {SloppyWorkerError} for a value that cannot be sent or is too large
   */
  set(name, value, before) {
    const version = this.#hold(name, value, before);
    this.#versions.set(name, version);
    try {
      this.#renew();
    } catch (error) {
      if (before === undefined) this.#versions.delete(name);
      else this.#versions.set(name, before);
      this.#executor.dropShared([version.number]);
      throw error;
    }
    return version;
  }

  /** Jobs that have not read the value yet find `undefined`. */
  remove(name) {
    const version = this.#versions.get(name);
    this.#versions.delete(name);
    version.isDropped = true;
    // Nothing is left of a pool that has ended.
    if (this.#executor.isClosing) return;
    this.#executor.dropShared([version.number]);
    this.#renew();
  }

  #hold(name, value, before) {
    const { memoryLimitMb } = this.#executor.settings;
    const limit = memoryLimitMb * 2 ** 20;
    const encoded = this.#executor.sharedEncoder.encode(
      value,
      Infinity,
      undefined,
      this.#executor.sharedCarry,
      'value',
    );
    const { bytes } = encoded;
    // A getter of the value's has shared it too, or released it.
    if (this.#versions.get(name) !== before) throw changedMeanwhile(name);
    let others = 0;
    this.#versions.forEach((version) => {
      if (version !== before) others += version.bytes;
    });
    if (others + bytes > limit) {
      throw tooLarge(name, others + bytes, memoryLimitMb);
    }
    const number = nextNumber();
    this.#executor.holdShared(number, encoded);
    this.#encodes += 1;
    return { number, bytes, tables: 0, isDropped: false };
  }

  #renew() {
    const next = this.#versions.size === 0 ? null : this.#newTable();
    const before = this.#current;
    this.#current = next;
    this.#executor.takesPlain = this.#takesPlain && next === null;
    if (before !== null && before.jobs === 0) this.#drop(before);
  }

  #newTable() {
    const versions = new OwnMap();
    this.#versions.forEach((version, name) => {
      versions.set(name, version);
    });
    const table = new Table(this, versions);
    try {
      const { sharedEncoder } = this.#executor;
      const encoded = sharedEncoder.encode(table.names(), Infinity);
      this.#executor.holdShared(table.number, encoded);
    } catch (error) {
      versions.forEach((version) => {
        version.tables -= 1;
      });
      throw error;
    }
    return table;
  }

  #drop(table) {
    const gone = bareList();
    append(gone, table.number);
    this.#forget(table.versions, gone);
    this.#executor.dropShared(gone);
  }

  // Adds the numbers of the values that no table has any more.
  #forget(versions, gone) {
    versions.forEach((version) => {
      version.tables -= 1;
      if (version.tables > 0 || version.isDropped) return;
      version.isDropped = true;
      append(gone, version.number);
    });
  }

  /** The job has been submitted. Does nothing the second time. */
  enter(job) {
    if (this.#current === null || job.shares !== null) return;
    job.shares = this.#current;
    job.shares.jobs += 1;
    job.mode |= JobMode.Shares;
  }

  /** The job has left its worker, or will never have one. */
  leave(job) {
    const table = job.shares;
    if (table === null) return;
    job.shares = null;
    table.jobs -= 1;
    if (table.jobs === 0 && table !== this.#current) this.#drop(table);
  }

  /** @returns {object} see PoolMetrics.shared */
  snapshot() {
    let bytes = 0;
    // A pool that has ended shares nothing.
    const isOver = this.#executor.isClosing;
    this.#versions.forEach((version) => {
      if (!isOver) bytes += version.bytes;
    });
    return {
      values: isOver ? 0 : this.#versions.size,
      bytes,
      encodes: this.#encodes,
      decodes: this.#executor.sharedTaken(),
    };
  }
}

module.exports = { Shares };
