'use strict';
// Whether slots, texts and buffers are a value of the codec's grammar: the
// decoder itself believes its other end, which may ask it for arrays of any
// length. Without recursion and in one pass, because the value may be deep.

const { list } = require('../protocol/codec/captured.js');
const {
  ARRAY,
  BIG,
  BUFFER,
  FALSE,
  NODE_BUFFER,
  NULL,
  OBJECT,
  SHAPE,
  STRING,
  TAG,
  TEXT,
  TRUE,
  UNDEFINED,
  VIEW,
  VIEW_NAMES,
} = require('../protocol/codec/grammar.js');

const MAX_DEPTH = 1000;
const { isFinite: isNumber, isInteger } = Number;

// The bytes of an element, by a view's type.
const SIZES = VIEW_NAMES.map((name) => {
  if (name === 'DataView') return 1;
  // Some Nodes lack the youngest one.
  return globalThis[name]?.BYTES_PER_ELEMENT ?? 0;
});
SIZES[NODE_BUFFER] = 1;

const isCount = (value) => isInteger(value) && value >= 0;

class Structure {
  #slots;
  #texts;
  #buffers;
  #shapes;
  #at = 0;
  #text = 0;
  #textAt = 0;

  constructor(slots, texts, buffers, shapes) {
    this.#slots = slots;
    this.#texts = texts;
    this.#buffers = buffers;
    this.#shapes = shapes;
  }

  get #left() {
    return this.#slots.length - this.#at;
  }

  #take() {
    const value = this.#slots[this.#at];
    this.#at += 1;
    return value;
  }

  // Reads on in the shared text, or in the next one where it has ended.
  #readsText(length) {
    if (length === 0) return true;
    let text = this.#texts[this.#text];
    if (text !== undefined && this.#textAt === text.length) {
      this.#text += 1;
      this.#textAt = 0;
      text = this.#texts[this.#text];
    }
    if (text === undefined || length > text.length - this.#textAt) return false;
    this.#textAt += length;
    return true;
  }

  // A text of its own.
  #readsWholeText() {
    const text = this.#texts[this.#text];
    if (text === undefined) return false;
    const isUsed = this.#textAt === text.length;
    if (!isUsed && this.#textAt !== 0) return false;
    if (isUsed) this.#text += 1;
    const whole = this.#texts[this.#text];
    if (whole === undefined) return false;
    this.#textAt = whole.length;
    return true;
  }

  #readsView() {
    const type = this.#take();
    const buffer = this.#buffers[this.#take()];
    const offset = this.#take();
    const length = this.#take();
    const size = SIZES[type];
    if (buffer === undefined || !(size > 0)) return false;
    if (!isCount(offset) || !isCount(length) || offset % size !== 0) {
      return false;
    }
    return offset + length * size <= buffer.byteLength;
  }

  // Numbers are as many values as there are slots, so that nothing is larger
  // than what it came in.
  #count(each) {
    const count = this.#take();
    return isCount(count) && count * each <= this.#left ? count : -1;
  }

  // The values of an object whose keys are known.
  #countShaped() {
    const count = this.#shapes[this.#take()] ?? -1;
    return count <= this.#left ? count : -1;
  }

  // A string, as keys are.
  #readsKey() {
    const code = this.#take() / TAG;
    if (code === TEXT) return this.#readsWholeText();
    return isInteger(code) && code >= STRING && this.#readsText(code - STRING);
  }

  // 0 for a value, the values inside of it, or -1 for what is none.
  #readValue() {
    if (this.#left < 1) return -1;
    const slot = this.#take();
    if (slot < TAG) return slot > -Infinity ? 0 : -1;
    const code = slot / TAG;
    if (!isInteger(code)) return -1;
    if (code >= STRING) return this.#readsText(code - STRING) ? 0 : -1;
    switch (code) {
      case NULL:
      case UNDEFINED:
      case TRUE:
      case FALSE:
        return 0;
      case BIG:
        return isNumber(this.#take()) ? 0 : -1;
      case TEXT:
        return this.#readsWholeText() ? 0 : -1;
      case ARRAY:
        return this.#count(1);
      case SHAPE:
        return this.#countShaped();
      case BUFFER:
        return this.#buffers[this.#take()] === undefined ? -1 : 0;
      case VIEW:
        return this.#readsView() ? 0 : -1;
      default:
        return -1;
    }
  }

  /** @returns {boolean} it is one value, and nothing is left over */
  isValid() {
    // The open lists: how many values are missing, and whether keys stand
    // before them.
    const counts = list();
    const keyed = list();
    counts[0] = 1;
    keyed[0] = false;
    for (let depth = 1; depth > 0; ) {
      const last = depth - 1;
      if (counts[last] === 0) {
        depth -= 1;
        continue;
      }
      counts[last] -= 1;
      if (keyed[last] && (this.#left < 2 || !this.#readsKey())) return false;
      const isObject = this.#slots[this.#at] === OBJECT * TAG;
      if (isObject) this.#at += 1;
      const inside = isObject ? this.#count(2) : this.#readValue();
      if (inside < 0) return false;
      if (inside === 0) continue;
      if (depth > MAX_DEPTH) return false;
      counts[depth] = inside;
      keyed[depth] = isObject;
      depth += 1;
    }
    return this.#left === 0;
  }
}

/**
 * @param {Float64Array} slots
 * @param {string[]} texts
 * @param {ArrayBuffer[]} buffers
 * @param {number[]} shapes the numbers of keys
 * @returns {boolean}
 */
const checkStructure = (slots, texts, buffers, shapes) =>
  new Structure(slots, texts, buffers, shapes).isValid();

module.exports = { checkStructure };
