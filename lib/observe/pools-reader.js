'use strict';

const { warnOf } = require('../base/warn-of.js');

const nothing = () => {};

/**
 * A promise as an answer is an error here; its rejection must not end the
 * process.
 */
function checkNoPromise(value) {
  if (typeof value?.then !== 'function') return value;
  value.then(nothing, nothing);
  throw new TypeError('pools and metrics are read at once: no promises.');
}

/**
 * Reads the caller's list of pools anew for each reading. An error of the
 * caller's code leaves out the pool in question only, because readings happen
 * on timers and in scrapes, where an error would end the process.
 */
class PoolsReader {
  #pools;
  #hasWarned = false;

  /** @param {() => Iterable<Measured>} pools */
  constructor(pools) {
    this.#pools = pools;
  }

  /**
   * @param {(pool: Measured, metrics: object) => void} take
   * @throws any error of the caller's code; for the first reading, which the
   *   caller starts
   */
  readOrThrow(take) {
    for (const pool of checkNoPromise(this.#pools())) {
      take(pool, checkNoPromise(pool.metrics()));
    }
  }

  /**
   * @param {(pool: Measured, metrics: object) => void} take
   * @returns {boolean} whether every pool could be read; a failure is a
   *   warning, once
   */
  read(take) {
    let isWhole = true;
    const fail = (error) => {
      isWhole = false;
      this.#warn(error);
    };
    try {
      for (const pool of checkNoPromise(this.#pools())) {
        try {
          take(pool, checkNoPromise(pool.metrics()));
        } catch (error) {
          fail(error);
        }
      }
    } catch (error) {
      fail(error);
    }
    return isWhole;
  }

  #warn(error) {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    warnOf(
      'SLOPPY_W_POOLS_UNREADABLE',
      'pools that were to be watched cannot be read',
      error,
    );
  }
}

module.exports = { PoolsReader };
