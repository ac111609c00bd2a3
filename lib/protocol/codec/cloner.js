'use strict';
// Values of pools with `payload: 'clone'`: as the bytes of V8's structured
// clone (src/isolate/payload_clone.h), with the buffers that are moved or shared
// beside them.

const {
  Float64,
  ObjectPrototype,
  TO_STRING_TAG,
  append,
  getPrototypeOf,
  hasOwn,
  indexOf,
  isFinite,
  list,
  ownKeys,
} = require('./captured.js');
const { isBuffer } = require('./byte-parts.js');
const { CLONE, Carry, KIND_STRUCTURED, Refusal, TAG } = require('./grammar.js');

// Slots of a clone, of which pack() writes the second, and what else it reports.
const SLOTS = 2;
const REPORTED = 5;
const BESIDE = 1;
const TOTAL = 2;
const REASON = 2;
const MOVED = 3;
const HAS_CODE = 4;
// The most objects that are looked at in vain.
const MOST_KEYS = 32;

// Whether an object of that prototype is one of a platform's classes, such as
// URL: its properties are not all of it. They have a tag.
function isLossy(prototype) {
  try {
    let at = prototype;
    while (at !== null && at !== ObjectPrototype) {
      if (hasOwn(at, TO_STRING_TAG)) return true;
      at = getPrototypeOf(at);
    }
    return false;
  } catch {
    // The trap of a proxy.
    return true;
  }
}

// Whether a value is an object of a few primitives, which the grammar carries
// faster and without a loss.
function isFlat(value) {
  try {
    if (getPrototypeOf(value) !== ObjectPrototype) return false;
    const keys = ownKeys(value);
    if (keys.length > MOST_KEYS) return false;
    for (let i = 0; i < keys.length; i++) {
      const member = value[keys[i]];
      const type = typeof member;
      const isKept =
        type === 'string' ||
        type === 'boolean' ||
        member === null ||
        (type === 'number' && isFinite(member));
      if (!isKept) return false;
    }
    return true;
  } catch {
    // A getter, or the trap of a proxy: V8 meets it too.
    return false;
  }
}

const never = () => false;

/**
 * @param {() => { pack: Function, unpack: Function }} natives
 * @param {(reason: number) => never} refuse
 * @param {(buffer: ArrayBuffer) => boolean} [staysHere] for a buffer that is
 *   copied even if it is in the transfer list
 * @param {(octets: Uint8Array) => boolean} [isNodeBuffer]
 * @returns {(value: unknown, maxBytes: number, transfer: ArrayBuffer[] |
 *   undefined, carry: number, out: object) => void} fills the encoder's record;
 *   EXACTLY takes an object of a platform's class for its properties, as Node's
 *   own messages do
 */
function createPacker(
  natives,
  refuse,
  staysHere = never,
  isNodeBuffer = never,
) {
  let report = null;

  function movable(transfer) {
    if (transfer === undefined || transfer === null) return undefined;
    const moved = list();
    for (let i = 0; i < transfer.length; i++) {
      const item = transfer[i];
      if (indexOf(moved, item) === -1 && isBuffer(item) && !staysHere(item)) {
        append(moved, item);
      }
    }
    return moved;
  }

  return (value, maxBytes, transfer, carry, out) => {
    const moved = movable(transfer);
    report ??= new Float64(REPORTED);
    const { pack } = natives();
    const loses = carry === Carry.EXACTLY ? never : isLossy;
    const parts = pack(value, moved, maxBytes, report, isNodeBuffer, loses);
    if (parts === undefined) refuse(report[REASON]);
    report[0] = TAG * CLONE;
    out.kind = KIND_STRUCTURED;
    out.slots = report;
    out.slotCount = SLOTS;
    out.bytes = report[TOTAL];
    if (typeof parts === 'string') {
      report[BESIDE] = -parts.length;
      out.text = parts;
      return;
    }
    if (carry === Carry.CLONED_DATA && report[HAS_CODE] === 1) {
      refuse(Refusal.UNSUPPORTED);
    }
    // The bytes, and what the caller moves.
    const moves = list();
    for (let i = 0; i < parts.length; i++) append(moves, i <= report[MOVED]);
    out.more = [null, parts, moves];
  };
}

module.exports = { createPacker, isFlat };
