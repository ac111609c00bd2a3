'use strict';
// The reading half of the codec: values out of slots, texts and buffers, as
// grammar.js lays them out.

const {
  CodecArray,
  defineElement,
  hasOwn,
  isOverlaid,
  join,
  list,
  substring,
} = require('./captured.js');
const {
  ARRAY,
  BIG,
  BUFFER,
  CLONE,
  FALSE,
  KIND_FALSE,
  KIND_NULL,
  KIND_NUMBER,
  KIND_STRING,
  KIND_STRUCTURED,
  KIND_TRUE,
  NODE_BUFFER,
  NULL,
  OBJECT,
  SHAPE,
  STRING,
  TAG,
  TEXT,
  TRUE,
  UNDEFINED,
} = require('./grammar.js');
const { readerCode } = require('./reader-code.js');
const { HOT } = require('./shapes.js');

// The classes in the order of VIEW_NAMES. They are written out, because a loop
// over the names takes three times as long in a new realm.
const viewTypes = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
  globalThis.Float16Array,
];

// A string of this length or more gets units of its own, because a slice is
// read half as fast and keeps the whole text alive. For a shorter string the
// copy costs more than it saves.
const FLAT = 64;

// `join` makes one flat string; no other operation of JavaScript does.
const halves = new CodecArray('', '');
function flatCopy(text, from, to) {
  const middle = from + (FLAT >> 1);
  halves[0] = substring(text, from, middle);
  halves[1] = substring(text, middle, to);
  return join(halves, '');
}

// Spreading defines properties, so setters of Object.prototype are not called,
// and makes an ordinary fast object.
function finish(parts) {
  return { ...parts };
}

// Rare: a property that was `undefined` does not exist in the copy.
function withoutUndefined(o, keys) {
  const parts = { __proto__: null };
  for (let i = 0; i < keys.length; i++) {
    if (hasOwn(o, keys[i]) && o[keys[i]] !== undefined) {
      parts[keys[i]] = o[keys[i]];
    }
  }
  return finish(parts);
}

/** The value of a payload that is neither a number nor structured. */
function decodeSimple(kind, text) {
  switch (kind) {
    case KIND_NULL:
      return null;
    case KIND_TRUE:
      return true;
    case KIND_FALSE:
      return false;
    case KIND_STRING:
      return text ?? '';
    default:
      return undefined;
  }
}

const octets = (buffer, offset, length) =>
  new Uint8Array(buffer, offset, length);
const keep = (value) => value;

// `nodeBuffers.make(buffer, offset, length)`: one of Node's, where there are any.
// `adopt(octets)` makes one of a Uint8Array. `clones()`: the natives of
// src/isolate/payload_clone.h.
function createDecoder(shapes, nodeBuffers = {}, clones = undefined) {
  const { make: nodeBuffer = octets, adopt = keep } = nodeBuffers;
  const { shapeById, compile } = shapes;

  // Shared with the code of shapes.
  const input = { slots: null, at: 0 };
  let text = '';
  let textAt = 0;
  let nextText = 0;
  let moreTexts = null;
  let inBuffers = null;
  let undefinedSeen = 0;
  let inBatch = false;

  function take() {
    return input.slots[input.at++];
  }

  function readText(length) {
    if (length === 0) return '';
    if (textAt === text.length) {
      text = moreTexts[nextText++];
      textAt = 0;
    }
    const from = textAt;
    textAt += length;
    if (from === 0 && textAt === text.length) return text;
    return length < FLAT
      ? substring(text, from, textAt)
      : flatCopy(text, from, textAt);
  }

  function readValue() {
    const x = input.slots[input.at++];
    if (x < TAG) return x;
    const code = x / TAG;
    if (code >= STRING) return readText(code - STRING);
    switch (code) {
      case NULL:
        return null;
      case UNDEFINED:
        undefinedSeen++;
        return undefined;
      case TRUE:
        return true;
      case FALSE:
        return false;
      case BIG:
        return take();
      case TEXT:
        return takeWholeText();
      case ARRAY:
        return readArray();
      case SHAPE:
        return readShaped();
      case OBJECT:
        return readPairs();
      case BUFFER:
        return inBuffers[take()];
      case CLONE:
        return readClone(take());
      default:
        return readView();
    }
  }

  function readClone(beside) {
    const parts = beside < 0 ? readText(-beside) : inBuffers;
    return clones().unpack(parts, beside, adopt);
  }

  function takeWholeText() {
    // The gathered text before it is used up, or this is the first text.
    if (textAt === text.length) return moreTexts[nextText++];
    textAt = text.length;
    return text;
  }

  function readArray() {
    const n = take() | 0;
    const { slots, at } = input;
    let count = 0;
    while (count < n && slots[at + count] < TAG) count++;
    return count === n ? readNumbers(n) : readElements(n);
  }

  // Separate from other arrays, so that the engine keeps the numbers unboxed.
  function readNumbers(n) {
    const a = new CodecArray(n);
    const { slots, at } = input;
    for (let i = 0; i < n; i++) {
      if (isOverlaid(i)) return readElements(n);
      a[i] = slots[at + i];
    }
    input.at = at + n;
    return a;
  }

  function readElements(n) {
    const a = new CodecArray(n);
    for (let i = 0; i < n; i++) {
      const x = readValue();
      if (isOverlaid(i)) defineElement(a, i, x);
      else a[i] = x;
    }
    return a;
  }

  function readShaped() {
    const shape = shapeById(take());
    const { keys } = shape;
    if (shape.read === null) return readSeldom(shape, keys);
    const before = undefinedSeen;
    const o = shape.read();
    return undefinedSeen === before ? o : withoutUndefined(o, keys);
  }

  function readSeldom(shape, keys) {
    const types = list();
    const parts = { __proto__: null };
    for (let i = 0; i < keys.length; i++) {
      const v = readValue();
      types[i] = typeof v;
      if (v !== undefined) parts[keys[i]] = v;
    }
    if (++shape.reads === HOT) {
      shape.read = compile(readerCode(keys, types), {
        input,
        value: readValue,
        text: readText,
      });
    }
    return finish(parts);
  }

  function readPairs() {
    const n = take();
    const parts = { __proto__: null };
    for (let i = 0; i < n; i++) {
      const key = readValue();
      const v = readValue();
      if (v !== undefined) parts[key] = v;
    }
    return finish(parts);
  }

  function readView() {
    const type = take();
    const buffer = inBuffers[take()];
    const offset = take();
    if (type === NODE_BUFFER) return nodeBuffer(buffer, offset, take());
    const View = viewTypes[type];
    return new View(buffer, offset, take());
  }

  // The value of a structured payload. `run` holds its slots from `from` on;
  // `more` is [ownSlots, furtherTexts, buffers] or undefined.
  function decodeStructured(run, from, firstText, more) {
    inBatch = false;
    input.slots = run;
    input.at = from;
    text = firstText ?? '';
    textAt = 0;
    nextText = 0;
    moreTexts = inBuffers = null;
    if (more !== undefined) {
      if (more[0] !== undefined) {
        input.slots = more[0];
        input.at = 0;
      }
      moreTexts = more[1];
      inBuffers = more[2];
    }
    const value = readValue();
    input.slots = moreTexts = inBuffers = null;
    text = '';
    return value;
  }

  // The same for a payload without further parts, whose text begins at
  // `textFrom` of the batch's common text. REQUIRES: newBatch() was called for
  // this batch. The text is kept once for the batch, because each store of it
  // costs a write barrier.
  function decodeShort(run, from, longText, textFrom) {
    if (!inBatch) {
      inBatch = true;
      input.slots = run;
      text = longText;
    }
    input.at = from;
    textAt = textFrom;
    return readValue();
  }

  function newBatch() {
    inBatch = false;
  }

  function decode(kind, number, run, from, firstText, more) {
    if (kind === KIND_NUMBER) return number;
    return kind === KIND_STRUCTURED
      ? decodeStructured(run, from, firstText, more)
      : decodeSimple(kind, firstText);
  }

  return { decode, decodeShort, newBatch };
}

module.exports = { createDecoder, decodeSimple };
