'use strict';

const { AsyncResource } = require('node:async_hooks');

const { Mode } = require('./channels.js');
const { Job } = require('./job.js');

const DEFAULT_PRIORITY = 4;
const LAST_PRIORITY = 7;

function readPriority(priority) {
  if (priority === undefined) return DEFAULT_PRIORITY;
  if (
    !(Number.isInteger(priority) && priority >= 0 && priority <= LAST_PRIORITY)
  ) {
    throw new TypeError('worker priority must be an integer from 0 to 7.');
  }
  return priority;
}

function readListener(onMessage) {
  if (onMessage === undefined || onMessage === null) return null;
  if (typeof onMessage !== 'function') {
    throw new TypeError('worker onMessage must be a function.');
  }
  return onMessage;
}

function readTransfer(transfer) {
  if (transfer === undefined || transfer === null) return undefined;
  if (!Array.isArray(transfer)) {
    throw new TypeError('worker transfer must be an array of ArrayBuffers.');
  }
  return transfer;
}

function modeOf(operation) {
  const signalled = operation.signal === undefined ? 0 : Mode.Signalled;
  // Told apart from no deadline, though neither ever ends the job.
  return operation.isEndless ? signalled | Mode.Endless : signalled;
}

/** A job of a pool: what to call, with what, and where it is in the addon. */
class PoolJob extends Job {
  /** @throws {TypeError} for an option of the wrong kind */
  constructor(operation, encoded, pool, entry, value, options) {
    super(operation, encoded.bytes);
    this.pool = pool;
    this.entry = entry;
    this.value = value;
    this.encoding = pool.host.encodings;
    this.stash = null;
    this.slot = -1;
    this.transfer = readTransfer(options?.transfer);
    this.onMessage = readListener(options?.onMessage);
    // What the caller gave to be called later is called in its own context.
    this.context =
      this.onMessage !== null || pool.hasHost
        ? new AsyncResource('SloppyWorkersJob')
        : null;
    this.priority = readPriority(options?.priority);
    this.mode = modeOf(operation);
    this.abandoned = false;
    this.lostTimer = null;
    this.channels = null;
  }
}

/** Own copies of what an encoding borrows: for a job that has to wait. */
function keepEncoding(encoded) {
  const more =
    encoded.more === undefined
      ? undefined
      : [
          encoded.more[0],
          encoded.more[1] === null ? null : copyBuffers(encoded.more),
          encoded.more[2],
        ];
  return {
    kind: encoded.kind,
    number: encoded.number,
    slots: encoded.slots.slice(0, encoded.slotCount),
    slotCount: encoded.slotCount,
    text: encoded.text,
    more,
  };
}

function copyBuffers([, buffers, moved]) {
  return Array.from({ length: buffers.length }, (_, i) => {
    const buffer = buffers[i];
    if (moved[i]) return structuredClone(buffer, { transfer: [buffer] });
    if (!ArrayBuffer.isView(buffer)) return buffer.slice(0);
    const copy = new Uint8Array(buffer.byteLength);
    copy.set(
      new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength),
    );
    return copy;
  });
}

module.exports = { PoolJob, keepEncoding };
