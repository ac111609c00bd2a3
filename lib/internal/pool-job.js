'use strict';

const { Job } = require('./job.js');

const DEFAULT_PRIORITY = 4;

/** A job of a pool: what to call, with what, and where it is in the addon. */
class PoolJob extends Job {
  constructor(operation, encoded, pool, entry, value, options) {
    super(operation, encoded.bytes);
    this.pool = pool;
    this.entry = entry;
    this.value = value;
    this.encoding = pool.host.encodings;
    this.stash = null;
    this.slot = -1;
    this.transfer = options?.transfer;
    this.onMessage = options?.onMessage ?? null;
    this.priority = options?.priority ?? DEFAULT_PRIORITY;
    this.mode = 0;
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
