'use strict';

const { packPayload } = require('../../wire/payload-bytes.js');

/**
 * The values that a pool shares with its processes: packed once, and sent to
 * each process with the first job there that may see them.
 */
class SandboxShares {
  /** How often a process has decoded one. */
  taken = 0;
  encoder;
  #parts = new Map();
  // The numbers that each worker has.
  #sent = new WeakMap();

  /** @param {PayloadEncoder} encoder of its own */
  constructor(encoder) {
    this.encoder = encoder;
  }

  hold(number, encoding) {
    this.#parts.set(number, { number, packed: packPayload(encoding) });
  }

  drop(numbers) {
    // A list without a prototype: see `bareList`.
    for (let i = 0; i < numbers.length; i++) this.#parts.delete(numbers[i]);
  }

  clear() {
    this.#parts.clear();
  }

  /**
   * @param {PoolWorker} worker
   * @param {object | null} table what its next job sees, see Shares
   * @returns {object | undefined} what to send with that job: `{ number, gone,
   *   parts }`: the numbers that it need not keep, and what it has not got
   */
  sendTo(worker, table) {
    if (table === null) return undefined;
    const sent = this.#sent.get(worker) ?? new Set();
    this.#sent.set(worker, sent);
    const gone = [...sent].filter((number) => !this.#parts.has(number));
    for (const number of gone) sent.delete(number);
    const wanted = [table.number];
    table.versions.forEach(({ number }) => {
      wanted.push(number);
    });
    const parts = wanted
      .filter((number) => this.#parts.has(number) && !sent.has(number))
      .map((number) => this.#parts.get(number));
    for (const { number } of parts) sent.add(number);
    return { number: table.number, gone, parts };
  }
}

module.exports = { SandboxShares };
