'use strict';
// Shared values on their way to workers: the codec's parts, for threads in shared
// memory, so that a thread costs its owner nothing. shared-store.js is the other
// end.

const { isSharedArrayBuffer } = require('node:util').types;

const { compileFunction } = require('../../base/compile-function.js');
const { createCodec } = require('../../protocol/codec.js');
const { nodeBuffers } = require('../../base/node-buffers.js');
const { PayloadEncoder } = require('../payload-encoder.js');
const { skip } = require('../../base/scan.js');

const isNarrow = (code) => code < 256;

/** @returns a copy of an ArrayBuffer's or view's bytes in a `Memory` */
function shareBytes(part, Memory) {
  const bytes = ArrayBuffer.isView(part)
    ? new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    : new Uint8Array(part);
  const memory = new Memory(bytes.length);
  new Uint8Array(memory).set(bytes);
  return memory;
}

function shareText(text, Memory) {
  const encoding = skip(text, 0, isNarrow) < text.length ? 'utf16le' : 'latin1';
  const length = encoding === 'latin1' ? text.length : text.length * 2;
  const memory = new Memory(length);
  Buffer.from(memory).write(text, encoding);
  return { memory, encoding };
}

/** The values that a pool shares with its workers. */
class SharedParts {
  /** How often a worker has decoded one. */
  taken = 0;
  #shapes = [];
  #parts = new Map();
  // The numbers that each worker was sent and not told to forget.
  #sent = new WeakMap();
  #Memory;

  /** @param {boolean} sharesMemory whether the workers are threads */
  constructor(sharesMemory) {
    this.#Memory = sharesMemory ? SharedArrayBuffer : ArrayBuffer;
  }

  encoder = new PayloadEncoder(
    createCodec(
      {
        defineShape: (text) => this.#shapes.push(text) - 1,
        shapeText: (id) => this.#shapes[id],
        compileFunction,
      },
      undefined,
      nodeBuffers,
    ),
  );

  hold(number, { kind, number: value, slots, slotCount, text, more }) {
    // A clone of the plain codec's, which each worker gets a clone of.
    if (slots === null) {
      this.#parts.set(number, { number, clone: text });
      return;
    }
    const Memory = this.#Memory;
    const shared = new Float64Array(new Memory(slotCount * 8));
    if (slotCount > 0) shared.set(slots.subarray(0, slotCount));
    const texts = more?.[0] ?? (text === undefined ? [] : [text]);
    const buffers = more?.[1] ?? [];
    this.#parts.set(number, {
      number,
      kind,
      value,
      slots: shared,
      texts: Array.from(texts, (part) => shareText(part, Memory)),
      buffers: Array.from(buffers, (part) =>
        isSharedArrayBuffer(part)
          ? { memory: part, isCopied: false }
          : { memory: shareBytes(part, Memory), isCopied: true },
      ),
    });
  }

  drop(numbers) {
    for (let i = 0; i < numbers.length; i++) this.#parts.delete(numbers[i]);
  }

  clear() {
    this.#parts.clear();
  }

  /**
   * @param {PoolWorker} worker
   * @param {object | null} table what its next job sees, see Shares
   * @returns {object | undefined} what to send with that job: `{ number, shapes,
   *   parts }`, the last two if the worker has not got them
   */
  sendTo(worker, table) {
    if (table === null) return undefined;
    const { number } = table;
    let sent = this.#sent.get(worker);
    if (sent === undefined) {
      sent = new Set();
      this.#sent.set(worker, sent);
    }
    if (sent.has(number)) return { number };
    for (const old of sent) if (!this.#parts.has(old)) sent.delete(old);
    const parts = [];
    const add = (each) => {
      const part = this.#parts.get(each);
      if (part === undefined || sent.has(each)) return;
      sent.add(each);
      parts.push(part);
    };
    add(number);
    table.versions.forEach((version) => {
      add(version.number);
    });
    return { number, shapes: this.#shapes, parts };
  }
}

module.exports = { SharedParts };
