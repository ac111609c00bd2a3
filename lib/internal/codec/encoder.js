'use strict';
// The writing half of the codec: validates while it writes, so that a value
// that may not travel costs no pass of its own.

const {
  CodecMap,
  Float64,
  ObjectPrototype,
  append,
  viewSet,
  charCodeAt,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFinite,
  isView,
  list,
  mapGet,
  mapSet,
  ownKeys,
} = require('./captured.js');
const { createByteParts, isBuffer } = require('./byte-parts.js');
const {
  ARRAY,
  BIG,
  BUFFER,
  FALSE,
  KIND_FALSE,
  KIND_NULL,
  KIND_NUMBER,
  KIND_STRING,
  KIND_STRUCTURED,
  KIND_TRUE,
  KIND_UNDEFINED,
  NULL,
  OBJECT,
  Refusal,
  SHAPE,
  STRING,
  TAG,
  TEXT,
  TRUE,
  UNDEFINED,
  VIEW,
} = require('./grammar.js');
const { HOT, createShapes } = require('./shapes.js');

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

// Strings up to this length are gathered in shared texts, so that crossing
// the language line is paid once for many; a text is bounded because a
// decoded part may keep the whole of it alive.
const SHORT = 4096;
const GATHER = 16384;
const MAX_DEPTH = 1000;
const NEAR = 24;
const SCRATCH = 8192;

// `Object.prototype` of another realm: it ends its chain and carries the
// methods of one.
function isForeignPlain(v, prototype) {
  return (
    getPrototypeOf(prototype) === null &&
    hasOwn(prototype, 'isPrototypeOf') &&
    !isView(v) &&
    !isBuffer(v)
  );
}

/**
 * `refused` is what encode() throws and its hosts catch, by identity; users
 * never see it.
 */
function createEncoder(host, shapes, refused) {
  const { shapeFor, compileWriter } = shapes;
  const out = {
    kind: 0,
    number: 0,
    slotCount: 0,
    text: undefined,
    more: undefined,
    bytes: 0,
    unit: 0,
    // Made for the first structured value.
    slots: new Float64(0),
  };
  let lastOut = out;
  let slots = out.slots;
  let capacity = 0;
  let at = 0;
  let gathered = '';
  let texts = null;
  // The ancestors of the value being written, the first NEAR of them.
  const path = list();
  let depth = 0;
  let deepest = 0;
  let deep = null;
  let limit = 0;
  let counted = 0;
  // Only what comes out as a structured clone would: see encode().
  let exact = false;
  let busy = false;
  let spare = null;
  const byteParts = createByteParts(refuse);

  function refuse(reason) {
    refused.reason = reason;
    throw refused;
  }

  function grow(extra) {
    if ((at + extra) * 8 + counted > limit) refuse(Refusal.TOO_LARGE);
    let wanted = capacity * 2;
    while (wanted < at + extra) wanted *= 2;
    const bigger = new Float64(wanted);
    viewSet(bigger, slots);
    slots = out.slots = bigger;
    capacity = wanted;
  }

  function flush() {
    if (gathered.length === 0) return;
    if (texts === null) texts = list();
    // Reading makes it one piece: of a rope all pieces would be kept alive,
    // and copied by every garbage collection until the text is written. The
    // unit is kept so that the engine does not leave the reading out.
    out.unit = charCodeAt(gathered, 0);
    append(texts, gathered);
    gathered = '';
  }

  function count(size) {
    counted += size;
    if (counted > limit) refuse(Refusal.TOO_LARGE);
  }

  function writeString(s) {
    const n = s.length;
    if (n > SHORT) {
      count(n);
      flush();
      if (texts === null) texts = list();
      append(texts, s);
      slots[at++] = T_TEXT;
      return;
    }
    gathered += s;
    if (gathered.length >= GATHER) {
      count(gathered.length);
      flush();
    }
    slots[at++] = TAG * (STRING + n);
  }

  // REQUIRES: room for one value's own slots (5) beyond `at`.
  // No switch, for which V8 makes a string of the type.
  function writeValue(v) {
    if (at + 8 > capacity) grow(8);
    if (typeof v === 'number') {
      if (v < TAG && v > -Infinity) {
        slots[at++] = v;
      } else if (isFinite(v)) {
        slots[at++] = T_BIG;
        slots[at++] = v;
      } else {
        refuse(Refusal.NOT_FINITE);
      }
    } else if (typeof v === 'string') {
      writeString(v);
    } else if (typeof v === 'object') {
      if (v === null) slots[at++] = T_NULL;
      else writeObject(v);
    } else if (typeof v === 'boolean') {
      slots[at++] = v ? T_TRUE : T_FALSE;
    } else if (v === undefined) {
      // Inside a structure only; a property is dropped before it gets here.
      if (exact) refuse(Refusal.UNSUPPORTED);
      slots[at++] = T_NULL;
    } else {
      refuse(Refusal.UNSUPPORTED);
    }
  }

  // A shaped object keeps its key with `undefined`; the reader drops it.
  function writeProperty(v) {
    if (v === undefined) {
      if (exact) refuse(Refusal.UNSUPPORTED);
      if (at + 8 > capacity) grow(8);
      slots[at++] = T_UNDEFINED;
    } else {
      writeValue(v);
    }
  }

  function enter(v) {
    if (depth >= MAX_DEPTH) refuse(Refusal.UNREADABLE);
    const scan = depth < NEAR ? depth : NEAR;
    for (let i = 0; i < scan; i++) if (path[i] === v) refuse(Refusal.CYCLE);
    if (depth >= NEAR) {
      if (deep === null) deep = new CodecMap();
      if (mapGet(deep, v) !== undefined) refuse(Refusal.CYCLE);
      mapSet(deep, v, true);
    }
    if (depth < NEAR) path[depth] = v;
    depth++;
    if (depth > deepest) deepest = depth;
  }

  function leave(v) {
    depth--;
    if (depth >= NEAR) mapSet(deep, v, undefined);
  }

  function writeObject(v) {
    if (isArray(v)) {
      enter(v);
      writeArray(v);
      leave(v);
      return;
    }
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
    slots[at++] = T_ARRAY;
    slots[at++] = n;
    if (at + n + 8 > capacity) grow(n + 8);
    for (let i = 0; i < n; i++) {
      const x = v[i];
      if (typeof x === 'number' && x < TAG && x > -Infinity) {
        if (at >= capacity) grow(8);
        slots[at++] = x;
      } else {
        writeValue(x);
      }
    }
  }

  function writePlain(v) {
    const keys = ownKeys(v);
    const shape = shapeFor(keys);
    if (shape === null) {
      writePairs(v, keys);
      return;
    }
    slots[at++] = T_SHAPE;
    slots[at++] = shape.id;
    if (shape.write !== null) {
      shape.write(v);
      return;
    }
    if (++shape.writes === HOT) {
      shape.write = compileWriter(shape, writeProperty);
    }
    for (let i = 0; i < keys.length; i++) writeProperty(v[keys[i]]);
  }

  function writePairs(v, keys) {
    slots[at++] = T_OBJECT;
    slots[at++] = keys.length;
    for (let i = 0; i < keys.length; i++) {
      if (at + 8 > capacity) grow(8);
      writeString(keys[i]);
      writeProperty(v[keys[i]]);
    }
  }

  function writeBytes(v) {
    const part = byteParts.describe(v);
    count(part.size);
    const index = byteParts.add(part);
    if (part.type === -1) {
      slots[at++] = T_BUFFER;
      slots[at++] = index;
      return;
    }
    slots[at++] = T_VIEW;
    slots[at++] = part.type;
    slots[at++] = index;
    slots[at++] = part.offset;
    slots[at++] = part.length;
  }

  function reset() {
    at = 0;
    depth = 0;
    for (let i = 0; i < deepest && i < NEAR; i++) path[i] = null;
    deepest = 0;
    deep = null;
    gathered = '';
    texts = null;
    byteParts.clear();
    counted = 0;
    if (capacity > 8 * SCRATCH) {
      capacity = SCRATCH;
      slots = out.slots = new Float64(SCRATCH);
    }
  }

  // Many realms never see a structured value.
  function begin() {
    for (let i = 0; i < NEAR; i++) path[i] = null;
    capacity = SCRATCH;
    slots = out.slots = new Float64(SCRATCH);
  }

  function encodeStructured(v, maxBytes, transferList) {
    if (capacity === 0) begin();
    busy = true;
    limit = maxBytes;
    byteParts.begin(transferList, exact);
    try {
      writeObject(v);
      byteParts.checkSizes();
      if (texts !== null) {
        flush();
        out.text = texts[0];
      } else {
        out.text = gathered.length === 0 ? undefined : gathered;
      }
      out.bytes = at * 8 + counted + gathered.length;
      if (out.bytes > maxBytes) refuse(Refusal.TOO_LARGE);
      out.more =
        (texts === null || texts.length === 1) && byteParts.buffers === null
          ? undefined
          : [texts, byteParts.buffers, byteParts.moved];
      out.kind = KIND_STRUCTURED;
      out.slotCount = at;
    } catch (error) {
      if (error === refused) throw error;
      // A getter or a trap of the value's own threw, or the stack ended.
      refuse(Refusal.UNREADABLE);
    } finally {
      busy = false;
      const keep = out.slots;
      reset();
      // The caller still reads this run.
      out.slots = keep;
    }
  }

  // Returns the encoded value in a record that is valid until the next call;
  // throws `refused`. `more` is [texts, buffers, moved] or undefined, where
  // `texts` includes the first one. With `exactly`, what a structured clone
  // keeps and this grammar does not is refused, and shared memory is shared.
  function encode(v, maxBytes, transferList, exactly = false) {
    // A getter of the value being written encodes a value of its own.
    if (busy) {
      lastOut = nested().encode(v, maxBytes, transferList, exactly);
      return lastOut;
    }
    lastOut = out;
    exact = exactly;
    out.text = undefined;
    out.more = undefined;
    out.slotCount = 0;
    out.bytes = 8;
    switch (typeof v) {
      case 'number':
        if (v - v !== 0) refuse(Refusal.NOT_FINITE);
        out.kind = KIND_NUMBER;
        out.number = v;
        break;
      case 'undefined':
        out.kind = KIND_UNDEFINED;
        break;
      case 'boolean':
        out.kind = v ? KIND_TRUE : KIND_FALSE;
        break;
      case 'string':
        if (v.length > maxBytes) refuse(Refusal.TOO_LARGE);
        out.kind = KIND_STRING;
        out.text = v;
        out.bytes = v.length;
        break;
      case 'object':
        if (v === null) {
          out.kind = KIND_NULL;
        } else {
          if (slots !== out.slots) out.slots = slots;
          encodeStructured(v, maxBytes, transferList);
        }
        break;
      default:
        refuse(Refusal.UNSUPPORTED);
    }
    return out;
  }

  function nested() {
    // With shapes of its own: a shape's writer is bound to its encoder.
    spare ??= createEncoder(host, createShapes(host), refused);
    return spare;
  }

  // What encode() returned last.
  function last() {
    return lastOut;
  }

  return { encode, last };
}

module.exports = { createEncoder };
