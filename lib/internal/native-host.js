'use strict';
// The owner's side of all pools of this copy of the library: the codec, the
// table of jobs under way, and the delivery of what comes back.

const { createCodec } = require('./codec.js');
const { PAYLOAD_REFUSALS } = require('./details.js');
const { loadNative } = require('./native.js');
const { workerError } = require('../sloppy-worker-error.js');

// Numbers per row of a batch (binding/delivery.cc).
const ROW = 6;
// Rows delivered before the loop gets its turn again.
const ROWS_PER_TURN = 2048;
const EVENT_EXITED = 2;

class NativeHost {
  native;
  codec;
  /** How many encodings there were: who encoded last knows it by this. */
  encodings = 0;
  #header;
  #scratch;
  #texts;
  #mores;
  #jobs = [];
  #freeSlots = [];
  #active = 0;
  #pools = new Map();
  #continued = false;

  constructor(native) {
    this.native = native;
    this.codec = createCodec({
      defineShape: native.defineShape,
      shapeText: native.shapeText,
      compileFunction: (parameter, body) => new Function(parameter, body),
    });
    const memory = native.memory();
    this.#header = memory.header;
    this.#scratch = memory.scratch;
    this.#texts = memory.texts;
    this.#mores = memory.mores;
    native.listen(() => this.#deliver());
    // On process.exit() no environment cleanup hook runs on the main thread,
    // and a worker must not execute while the process is torn down.
    process.once('exit', (code) => {
      if (native.shutdown()) process.reallyExit(process.exitCode ?? code);
    });
  }

  /**
   * Encodes a payload; the result is good until the next call of anything
   * that encodes.
   *
   * @param {unknown} value
   * @param {number} maxBytes
   * @param {ArrayBuffer[]} [transfer]
   * @throws {SloppyWorkerError} see PAYLOAD_REFUSALS
   */
  encode(value, maxBytes, transfer) {
    this.encodings += 1;
    try {
      return this.codec.encode(value, maxBytes, transfer);
    } catch (error) {
      if (error !== this.codec.refused) throw error;
      const { code, text } = PAYLOAD_REFUSALS[error.reason];
      throw workerError(code, text);
    }
  }

  /** Takes a job into the table; its slot is its name in the addon. */
  hold(job) {
    const slot =
      this.#freeSlots.length > 0 ? this.#freeSlots.pop() : this.#jobs.length;
    this.#jobs[slot] = job;
    this.ref();
    return slot;
  }

  /** The job has left the addon. */
  letGo(slot) {
    this.#jobs[slot] = null;
    this.#freeSlots.push(slot);
    this.unref();
  }

  /** Keeps the process alive until as many `unref` have followed. */
  ref() {
    this.#active += 1;
    if (this.#active === 1) this.native.setActive(true);
  }

  unref() {
    this.#active -= 1;
    if (this.#active === 0) this.native.setActive(false);
  }

  addPool(id, pool) {
    this.#pools.set(id, pool);
  }

  removePool(id) {
    this.#pools.delete(id);
  }

  // Called by the addon once per batch. Bounded, so that a flood of results
  // does not keep the loop from its other work.
  #deliver() {
    this.#continued = false;
    this.#deliverEvents();
    let rows = 0;
    for (;;) {
      const n = this.native.take(this.#texts, this.#mores);
      if (n === 0) break;
      for (let i = 0; i < n; i += 1) this.#deliverRow(i);
      rows += n;
      if (rows >= ROWS_PER_TURN) {
        this.#continueLater();
        return;
      }
    }
    // Events that arrived together with the last jobs.
    this.#deliverEvents();
  }

  #continueLater() {
    if (this.#continued) return;
    this.#continued = true;
    setImmediate(() => this.#deliver());
  }

  #deliverRow(i) {
    const header = this.#header;
    const at = i * ROW;
    const slot = header[at];
    const job = this.#jobs[slot];
    const status = header[at + 1];
    const kind = header[at + 3];
    const value =
      kind < 5 && kind !== 0
        ? this.codec.decode(kind, header[at + 4])
        : this.#decode(i, kind, header[at + 5]);
    this.letGo(slot);
    job.pool.settle(job, status, header[at + 2], value);
  }

  #decode(i, kind, offset) {
    if (kind === 0) return undefined;
    const text = this.#texts[i];
    const more = this.#mores[i];
    this.#texts[i] = this.#mores[i] = undefined;
    return this.codec.decode(kind, 0, this.#scratch, offset, text, more);
  }

  #deliverEvents() {
    for (;;) {
      const event = this.native.takeEvent();
      if (event === undefined) return;
      const [kind, poolId, slot, channel, payloadKind, number, text, more] =
        event;
      const pool = this.#pools.get(poolId);
      if (pool === undefined) continue;
      if (kind === EVENT_EXITED) {
        pool.workerExited();
        continue;
      }
      const value = this.codec.decode(
        payloadKind,
        number,
        this.#scratch,
        0,
        text,
        more,
      );
      if (slot < 0) pool.message(null, channel, value);
      // Else the job may have been delivered before its message.
      else if (this.#jobs[slot]) {
        pool.message(this.#jobs[slot], channel, value);
      }
    }
  }
}

let host;

/**
 * @returns {NativeHost}
 * @throws {SLOPPY_E_WORKER_BRIDGE_UNAVAILABLE}
 */
function getHost() {
  host ??= new NativeHost(loadNative());
  return host;
}

module.exports = { getHost };
