'use strict';
// Writes values into slots, texts and byte parts. Validates while it writes, so
// that no second pass is needed.

const {
  Float64,
  ObjectPrototype,
  getPrototypeOf,
  hasOwnProperty,
  isArray,
  isFinite,
  isView,
  list,
  ownKeys,
  viewSet,
} = require('./captured.js');
const { createAncestors } = require('./ancestors.js');
const { createByteParts } = require('./byte-parts.js');
const {
  ARRAY,
  BIG,
  BUFFER,
  FALSE,
  NULL,
  OBJECT,
  Carry,
  Refusal,
  SHAPE,
  STRING,
  TAG,
  TEXT,
  TRUE,
  UNDEFINED,
  VIEW,
} = require('./grammar.js');
const { isForeignPlain } = require('./plain.js');
const { HOT } = require('./shapes.js');
const { LONGEST, createTexts } = require('./texts.js');
const { MARGIN, writerCode } = require('./writer-code.js');

const T_NULL = TAG * NULL;
const T_UNDEFINED = TAG * UNDEFINED;
const T_TRUE = TAG * TRUE;
const T_FALSE = TAG * FALSE;
const T_BIG = TAG * BIG;
const T_TEXT = TAG * TEXT;
const T_ARRAY = TAG * ARRAY;
const T_SHAPE = TAG * SHAPE;
const T_OBJECT = TAG * OBJECT;
const T_BUFFER = TAG * BUFFER;
const T_VIEW = TAG * VIEW;

const SCRATCH = 8192;

/**
 * `refuse(reason)` throws.
 *
 * @returns {object} `begin(maxBytes, transferList, carry)`, `write(object)`,
 *   `clear()`; `output`, the parts written between the two; `byteParts`
 */
function createWriter({ shapeFor, compile }, refuse, staysHere, isNodeBuffer) {
  // Shared with the code of shapes. `shape` is that of the previous object.
  const first = { next: null, other: null };
  const output = {
    slots: new Float64(0),
    at: 0,
    capacity: 0,
    shape: first,
    // All texts but the last one, null as long as there is no other.
    texts: null,
    gathered: '',
    // Bytes, without the slots and the gathered text.
    counted: 0,
    unit: 0,
  };
  const { check, enter, leave, leaveAll } = createAncestors(refuse);
  const { gather, flush, addText } = createTexts(output, count);
  let limit = 0;
  let exact = false;
  const byteParts = createByteParts(refuse, staysHere, isNodeBuffer);

  function grow(extra) {
    const { slots, at, capacity } = output;
    if ((at + extra) * 8 + output.counted > limit) refuse(Refusal.TOO_LARGE);
    let wanted = capacity * 2;
    while (wanted < at + extra) wanted *= 2;
    output.slots = new Float64(wanted);
    viewSet(output.slots, slots);
    output.capacity = wanted;
  }

  function count(size) {
    output.counted += size;
    if (output.counted > limit) refuse(Refusal.TOO_LARGE);
  }

  function writeString(s) {
    const n = s.length;
    if (n > LONGEST) {
      addText(s);
      output.slots[output.at++] = T_TEXT;
    } else {
      gather(s);
      output.slots[output.at++] = TAG * (STRING + n);
    }
  }

  // No switch, because V8 would make a string of the type for it.
  function writeValue(v) {
    if (output.at + MARGIN > output.capacity) grow(MARGIN);
    if (typeof v === 'number') {
      if (v < TAG && v > -Infinity) {
        output.slots[output.at++] = v;
      } else if (isFinite(v)) {
        output.slots[output.at++] = T_BIG;
        output.slots[output.at++] = v;
      } else {
        refuse(Refusal.NOT_FINITE);
      }
    } else if (typeof v === 'string') {
      writeString(v);
    } else if (typeof v === 'object') {
      if (v === null) output.slots[output.at++] = T_NULL;
      else writeObject(v);
    } else if (typeof v === 'boolean') {
      output.slots[output.at++] = v ? T_TRUE : T_FALSE;
    } else if (v === undefined) {
      // An element alone gets here, because a property is dropped before.
      if (exact) refuse(Refusal.UNSUPPORTED);
      output.slots[output.at++] = T_NULL;
    } else {
      refuse(Refusal.UNSUPPORTED);
    }
  }

  // A shaped object keeps its key with `undefined`; the reader drops it. There
  // is room for `room` slots afterwards.
  function writeProperty(v, room) {
    if (v === undefined) {
      if (exact) refuse(Refusal.UNSUPPORTED);
      if (output.at + MARGIN > output.capacity) grow(MARGIN);
      output.slots[output.at++] = T_UNDEFINED;
    } else {
      writeValue(v);
    }
    if (output.at + room > output.capacity) grow(room);
  }

  function writeObject(v) {
    if (isArray(v)) {
      enter(v);
      writeArray(v);
      leave(v);
      return;
    }
    // The shapes that followed the previous object the last times. A view is
    // excluded, because its bytes would be keys.
    const { next, other } = output.shape;
    if (next !== null && !isView(v) && (next.write(v) || other?.write(v))) {
      return;
    }
    writeUnexpected(v);
  }

  function writeUnexpected(v) {
    const prototype = getPrototypeOf(v);
    if (
      prototype === ObjectPrototype ||
      prototype === null ||
      isForeignPlain(v, prototype)
    ) {
      enter(v);
      writePlain(v);
      leave(v);
      return;
    }
    writeBytes(v);
  }

  function writeArray(v) {
    const n = v.length;
    // That of a proxy may be anything, and the other end makes room for so many.
    if (n >>> 0 !== n) refuse(Refusal.UNSUPPORTED);
    output.slots[output.at++] = T_ARRAY;
    output.slots[output.at++] = n;
    if (output.at + n + MARGIN > output.capacity) grow(n + MARGIN);
    for (let i = writeNumbers(v, n); i < n; i++) writeValue(v[i]);
  }

  // Writes the numbers at the start of an array and the value after them.
  // Returns the number of elements written.
  function writeNumbers(v, n) {
    const { slots, at } = output;
    for (let i = 0; i < n; i++) {
      const x = v[i];
      if (typeof x === 'number' && x < TAG && x > -Infinity) {
        slots[at + i] = x;
      } else {
        output.at = at + i;
        writeValue(x);
        return i + 1;
      }
    }
    output.at = at + n;
    return n;
  }

  function writePlain(v) {
    const keys = ownKeys(v);
    const shape = shapeFor(keys);
    const before = output.shape;
    if (shape === null) {
      before.next = before.other = null;
      writePairs(v, keys);
      return;
    }
    if (shape.write !== null && before.next !== shape) {
      before.other = before.next;
      before.next = shape;
    }
    output.shape = shape;
    output.slots[output.at++] = T_SHAPE;
    output.slots[output.at++] = shape.id;
    const types = list();
    for (let i = 0; i < keys.length; i++) {
      const x = v[keys[i]];
      types[i] = typeof x;
      writeProperty(x, 0);
    }
    if (++shape.writes === HOT && keys.length > 0) {
      shape.write = compileWriter(shape, types);
    }
  }

  function compileWriter(shape, types) {
    return compile(writerCode(shape.id, shape.keys, types), {
      output,
      shape,
      longest: LONGEST,
      value: writeProperty,
      text: gather,
      check,
      enter,
      leave,
      grow,
      getPrototypeOf,
      ObjectPrototype,
      hasOwnProperty,
    });
  }

  function writePairs(v, keys) {
    output.slots[output.at++] = T_OBJECT;
    output.slots[output.at++] = keys.length;
    for (let i = 0; i < keys.length; i++) {
      if (output.at + MARGIN > output.capacity) grow(MARGIN);
      writeString(keys[i]);
      writeProperty(v[keys[i]], 0);
    }
  }

  function writeBytes(v) {
    const part = byteParts.describe(v);
    count(part.size);
    const index = byteParts.add(part);
    const { slots, at } = output;
    if (part.type === -1) {
      slots[at] = T_BUFFER;
      slots[at + 1] = index;
      output.at = at + 2;
      return;
    }
    slots[at] = T_VIEW;
    slots[at + 1] = part.type;
    slots[at + 2] = index;
    slots[at + 3] = part.offset;
    slots[at + 4] = part.length;
    output.at = at + 5;
  }

  function begin(maxBytes, transferList, carry) {
    limit = maxBytes;
    exact = carry === Carry.EXACTLY;
    byteParts.begin(transferList, carry);
    if (output.capacity > 0) return;
    // Allocated late, because many realms never see a structured value.
    output.capacity = SCRATCH;
    output.slots = new Float64(SCRATCH);
  }

  function clear() {
    output.at = 0;
    output.shape = first;
    output.gathered = '';
    output.texts = null;
    output.counted = 0;
    leaveAll();
    byteParts.clear();
    if (output.capacity > 8 * SCRATCH) {
      output.capacity = SCRATCH;
      output.slots = new Float64(SCRATCH);
    }
  }

  return { begin, write: writeObject, flush, clear, output, byteParts };
}

module.exports = { createWriter };
