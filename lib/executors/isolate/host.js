'use strict';
// The owner's side of all pools of this copy of the library: the codec, the
// table of jobs under way, and the delivery of results and events.

const { AsyncResource } = require('node:async_hooks');
const { availableParallelism } = require('node:os');

const { createCodec } = require('../../protocol/codec.js');
const { substring } = require('../../protocol/codec/captured.js');
const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const { JobSlots } = require('./job-slots.js');
const { PayloadEncoder } = require('../payload-encoder.js');
const { debugCalls, loadNative } = require('../../addon/load.js');
const { compileFunction } = require('../../base/compile-function.js');
const { holdLimitsFor } = require('../../base/limits-clock.js');
const { nodeBuffers } = require('../../base/node-buffers.js');
const { OwnMap, now } = require('../../base/primordials.js');
const { isUntransferable } = require('../../base/untransferable.js');
const { SubmitArgs } = require('../../protocol/structs.gen.js');
const {
  Delivery,
  Event,
  OwnerWord,
  PayloadKind,
  Row,
  WorkerEventKind,
} = require('../../protocol/wire.gen.js');

// binding/delivery.cc
const { Rows: BATCH, RowSlots: ROW, TimesSlots: TIMES_ROW } = Delivery;
/** Replaces the slot of a delivered row. */
const TAKEN = -1;
// Words that both sides share, after the rows (binding/owner_loop.h).
const WORDS = BATCH * ROW;
const TOUCHED = WORDS + OwnerWord.Touched;
const DELIVERING = WORDS + OwnerWord.Delivering;
const ACTIVE = WORDS + OwnerWord.Active;
const EVENTS_PER_CALL = 64;
const { Number: KIND_NUMBER, String: KIND_STRING } = PayloadKind;
const UNREADABLE = DIAGNOSTICS[Code.SerializationFailed].id;
// Milliseconds for which both sides poll before they sleep, while that pays
// off. 0 on one core, because a spinning thread would block the other side.
const SPIN_MS =
  process.env.SLOPPY_WORKERS_SPIN === '0' || availableParallelism() < 2
    ? 0
    : 0.05;

/**
 * @returns {number} the addon's clock minus performance.now(), both read without
 *   a pause
 */
function clockOffsetOf(native) {
  let best = { apart: Infinity, offset: 0 };
  for (let i = 0; i < 8; i += 1) {
    const before = now();
    const there = native.clock();
    const after = now();
    const apart = after - before;
    if (apart < best.apart) {
      best = { apart, offset: there - (before + after) / 2 };
    }
  }
  return best.offset;
}

/** Debuggers may attach before the first isolate starts. */
function openForDebuggers() {
  const { SLOPPY_WORKERS_INSPECT: address } = process.env;
  if (!address) return;
  require('../../inspector/from-environment.js').openFromEnvironment(address);
}

/** Another copy of the library may have had isolates of this process debugged. */
function heedDebuggers() {
  const debug = debugCalls();
  if (debug.heldMs() > 0) holdLimitsFor(debug);
}

function coverIfAsked() {
  const { NODE_V8_COVERAGE: folder } = process.env;
  if (folder) require('./coverage.js').coverIsolates(folder);
}

/** The async context of this module's loading, which belongs to no request. */
const home = new AsyncResource('SloppyWorkersHost');

class NativeHost extends PayloadEncoder {
  native;
  #clockOffset;
  spinMs = SPIN_MS;
  /**
   * Whether a write to a file is stalled, because Node would wait for it at the
   * end.
   */
  hasStalledFile = false;
  #header;
  #scratch;
  #times;
  #texts;
  #mores;
  /** The numbers of the next submission by a call. */
  submitArgs;
  /** The jobs in the addon. Each holds a `ref`, unless its pool has none. */
  slots;
  #active = 0;
  #pools = new OwnMap();
  /** State of the batch that is being delivered. */
  #rows = 0;

  constructor(native) {
    const { defineShape, shapeText } = native;
    const host = { defineShape, shapeText, compileFunction, isUntransferable };
    super(createCodec(host, undefined, nodeBuffers, () => native));
    this.native = native;
    this.#clockOffset = clockOffsetOf(native);
    this.slots = new JobSlots(native.makeSlot, native.dropSlots);
    const memory = native.memory();
    this.#header = memory.header;
    this.#scratch = memory.scratch;
    this.#times = memory.times;
    this.submitArgs = new SubmitArgs(memory.submit);
    this.#texts = Object.setPrototypeOf(memory.texts, null);
    this.#mores = Object.setPrototypeOf(memory.mores, null);
    heedDebuggers();
    coverIfAsked();
    openForDebuggers();
    // Runs outside the async context of the first caller.
    home.runInAsyncScope(native.listen, native, () => this.#deliver(), SPIN_MS);
    // No environment cleanup hook runs on the main thread on process.exit(),
    // and a worker must not execute while the process is torn down.
    process.once('exit', (code) => {
      if (!native.shutdown() && !this.hasStalledFile) return;
      // Loaded only now, because it takes longer than most of the library.
      const { isMainThread } = require('node:worker_threads');
      if (!isMainThread) return;
      const exitCode = process.exitCode ?? code;
      native.exitWith(exitCode);
      // A thread, or one of Node's that writes a file, cannot be interrupted.
      // The process ends without teardown once the later listeners have run.
      process.reallyExit = (last) => native.exitNow(last ?? exitCode);
    });
  }

  /** @returns {number} see `clockOffsetOf` */
  clockOffset() {
    return this.#clockOffset;
  }

  /** Called after a submission that did not call the addon. */
  touch() {
    this.#header[TOUCHED] = 1;
  }

  /** The job has left the addon. */
  free(job, slot) {
    this.slots.free(slot);
    if (!job.abandoned) this.#unrefFor(job.entry);
  }

  /** The job's slot stays taken until its thread frees it, if ever. */
  abandon(job) {
    job.abandoned = true;
    this.#unrefFor(job.entry);
  }

  /** Keeps the process alive until as many `unref` have followed. */
  ref() {
    this.#active += 1;
    if (this.#active === 1) this.#setActive(1);
  }

  unref() {
    this.#active -= 1;
    if (this.#active === 0) this.#setActive(0);
  }

  /** Calls `ref` so often, or `unref` if the count is negative. */
  addRefs(count) {
    const was = this.#active;
    this.#active += count;
    if (was > 0 !== this.#active > 0) this.#setActive(was > 0 ? 0 : 1);
  }

  #unrefFor(entry) {
    if (entry.executor.isRef) this.unref();
  }

  // A change within a delivery is applied at its end, because often each answer
  // leads to the next call and nothing changes.
  #setActive(active) {
    const header = this.#header;
    header[ACTIVE] = active;
    if (header[DELIVERING] === 0) this.native.activate();
  }

  addPool(id, pool) {
    this.#pools.set(id, pool);
  }

  removePool(id) {
    this.#pools.delete(id);
  }

  // Called by the addon while there are events or rows. Each call delivers a
  // part, events first, because a job's messages come before its end.
  #deliver() {
    // Re-entered: a listener is running the event loop (deasync). Deliver the
    // rest of the outer batch before take() overwrites the buffer.
    if (this.#rows > 0) this.#deliverRows();
    for (let i = 0; i < EVENTS_PER_CALL; i += 1) {
      const n = this.native.take(this.#texts, this.#mores);
      if (n >= 0) {
        this.codec.newBatch();
        this.#rows = n;
        this.#deliverRows();
        return;
      }
      // Message workers get one message per loop turn, so that microtasks run
      // between messages.
      if (this.#deliverEvent(this.native.takeEvent())) return;
    }
  }

  #deliverRows() {
    const n = this.#rows;
    for (let row = 0; row < n; row += 1) this.#deliverRow(row);
    this.#rows = 0;
    if (this.#texts[BATCH] !== undefined) this.#texts[BATCH] = undefined;
  }

  #deliverRow(i) {
    const header = this.#header;
    const at = i * ROW;
    const slot = header[at + Row.Slot];
    if (slot === TAKEN) return;
    header[at + Row.Slot] = TAKEN;
    let status = header[at + Row.Status];
    const kind = header[at + Row.Kind];
    let value;
    try {
      value =
        kind === KIND_NUMBER
          ? header[at + Row.Number]
          : this.#decode(i, kind, at);
    } catch {
      // A result that cannot be read must not affect the others.
      if (status === 0) status = UNREADABLE;
    }
    const resolve = this.slots.resolverOf(slot);
    if (resolve !== null && status === 0) this.#complete(slot, resolve, value);
    else this.#settle(i, slot, status, value);
  }

  #complete(slot, resolve, value) {
    const slots = this.slots;
    const entry = slots.entryOf(slot);
    const bytes = slots.bytesOf(slot);
    slots.free(slot);
    this.#unrefFor(entry);
    entry.executor.complete(entry, resolve, value, bytes);
  }

  #settle(i, slot, status, value) {
    const detail = this.#header[i * ROW + Row.Detail];
    const job = this.slots.take(slot);
    this.free(job, slot);
    // One whose thread was given up has been reported then.
    if (job.metrics !== null && !job.abandoned) {
      job.metrics.ended(job, this.#times, i * TIMES_ROW);
    }
    job.entry.executor.settle(job, status, detail, value);
  }

  #decode(i, kind, at) {
    const header = this.#header;
    if (kind < KIND_STRING)
      return this.codec.decode(kind, header[at + Row.Number]);
    const offset = header[at + Row.SlotsAt];
    const length = header[at + Row.TextLength];
    if (length >= 0) {
      const from = header[at + Row.TextAt];
      const texts = this.#texts[BATCH] ?? '';
      return kind === KIND_STRING
        ? substring(texts, from, from + length)
        : this.codec.decodeShort(this.#scratch, offset, texts, from);
    }
    const text = this.#texts[i];
    const more = this.#mores[i];
    this.#texts[i] = this.#mores[i] = undefined;
    return this.codec.decode(kind, 0, this.#scratch, offset, text, more);
  }

  /** @returns {boolean} whether the turn ends with this event */
  #deliverEvent(event) {
    // Indexes serve, because the caller may change Array.prototype.
    const pool = this.#pools.get(event[Event.Pool]);
    if (pool === undefined) return false;
    const slot = event[Event.Target];
    if (event[Event.Kind] === WorkerEventKind.Exited) {
      pool.workerEnded(event[Event.Number], -slot);
      return false;
    }
    if (event[Event.Kind] === WorkerEventKind.Started) {
      pool.workerBegan(-slot, event[Event.Channel], event[Event.Number]);
      return false;
    }
    if (event[Event.Kind] === WorkerEventKind.Fresh) {
      pool.fresh(-slot);
      return false;
    }
    if (event[Event.Kind] === WorkerEventKind.Stuck) {
      pool.workerStuck(-slot, event[Event.Number] === 1);
      return false;
    }
    const job = slot < 0 ? null : this.slots.at(slot);
    if (event[Event.Kind] === WorkerEventKind.JobStarted) {
      job.metrics.started(job, event[Event.Number]);
      return false;
    }
    let value;
    try {
      value = this.codec.decode(
        event[Event.PayloadKind],
        event[Event.Number],
        this.#scratch,
        0,
        event[Event.Text],
        event[Event.More],
      );
    } catch {
      return false;
    }
    pool.message(job, event[Event.Channel], value, -slot);
    return pool.oneByOne;
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
