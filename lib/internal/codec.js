'use strict';
// The payload codec: the one place that knows the wire grammar. The same file
// runs on the owner (as a CommonJS module) and in every worker realm
// (embedded by the build), so both directions obey the same rules.
//
// A value becomes a kind, a number and, for structured values, a run of
// 8-byte float slots plus texts and byte buffers that the slots refer to in
// order. A slot below TAG is a number as it stands; a slot at or above TAG is
// code × TAG, which no admissible number needs (larger finite numbers are
// escaped), so that the common case costs one comparison and no tag.
//
//   null undefined true false      one slot
//   number                         one slot, or BIG and the number
//   string                         STRING + length, its units in the texts
//   long string                    TEXT, a text of its own
//   array                          ARRAY, length, values
//   object with a known shape      SHAPE, shape id, values
//   other object                   OBJECT, count, (key, value) pairs
//   ArrayBuffer                    BUFFER, index
//   view                           VIEW, type, index, offset, length
//
// Everything taken from the realm is captured when the codec is created, so
// that code which later replaces prototypes neither breaks nor observes it.

// What encode() throws; hosts turn it into their own error.
const Refusal = {
  UNSUPPORTED: 1,
  NOT_FINITE: 2,
  CYCLE: 3,
  UNREADABLE: 4,
  TOO_LARGE: 5,
};

function createCodec(host, sharedRefused) {
  const { defineShape, shapeText, compileFunction } = host;
  const uncurry = Function.prototype.call.bind.bind(Function.prototype.call);
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const { getPrototypeOf, setPrototypeOf, keys: ownKeys, hasOwn } = Object;
  const { isFinite } = Number;
  const { stringify } = JSON;
  const substring = uncurry(String.prototype.substring);
  const textIndexOf = uncurry(String.prototype.indexOf);
  const mapGet = uncurry(Map.prototype.get);
  const mapSet = uncurry(Map.prototype.set);
  const indexOf = uncurry(Array.prototype.indexOf);
  const f64Set = uncurry(Float64Array.prototype.set);
  const getter = (prototype, name) =>
    uncurry(Object.getOwnPropertyDescriptor(prototype, name).get);
  const TypedArray = getPrototypeOf(Uint8Array);
  const viewTag = getter(TypedArray.prototype, Symbol.toStringTag);
  const viewBuffer = getter(TypedArray.prototype, 'buffer');
  const viewOffset = getter(TypedArray.prototype, 'byteOffset');
  const viewLength = getter(TypedArray.prototype, 'length');
  const viewBytes = getter(TypedArray.prototype, 'byteLength');
  const viewKeys = uncurry(TypedArray.prototype.keys);
  const dataViewBuffer = getter(DataView.prototype, 'buffer');
  const dataViewOffset = getter(DataView.prototype, 'byteOffset');
  const dataViewBytes = getter(DataView.prototype, 'byteLength');
  const bufferBytes = getter(ArrayBuffer.prototype, 'byteLength');
  const ObjectPrototype = Object.prototype;
  const CodecMap = Map;
  const Float64 = Float64Array;
  const CodecArray = Array;
  const Octets = Uint8Array;
  const viewNames = [
    'Int8Array',
    'Uint8Array',
    'Uint8ClampedArray',
    'Int16Array',
    'Uint16Array',
    'Int32Array',
    'Uint32Array',
    'Float32Array',
    'Float64Array',
    'BigInt64Array',
    'BigUint64Array',
    'DataView',
    'Float16Array',
  ];
  const viewTypes = list();
  for (let i = 0; i < viewNames.length; i++) {
    viewTypes[i] = globalThis[viewNames[i]];
  }
  const DATA_VIEW = 11;

  const TAG = 2 ** 1000;
  const NULL = 1;
  const UNDEFINED = 2;
  const TRUE = 3;
  const FALSE = 4;
  const BIG = 5;
  const TEXT = 6;
  const ARRAY = 7;
  const SHAPE = 8;
  const OBJECT = 9;
  const BUFFER = 10;
  const VIEW = 11;
  const STRING = 32;
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

  const KIND_UNDEFINED = 0;
  const KIND_NULL = 1;
  const KIND_TRUE = 2;
  const KIND_FALSE = 3;
  const KIND_NUMBER = 4;
  const KIND_STRING = 5;
  const KIND_STRUCTURED = 6;

  // Strings up to this length are gathered in shared texts, so that crossing
  // the language line is paid once for many; a text is bounded because a
  // decoded part may keep the whole of it alive.
  const SHORT = 4096;
  const GATHER = 16384;
  const MAX_DEPTH = 1000;
  const NEAR = 24;
  const MAX_SHAPE_KEYS = 48;
  const SCRATCH = 8192;

  // An array whose elements no setter on a prototype can intercept.
  function list() {
    return setPrototypeOf([], null);
  }
  function append(to, value) {
    to[to.length] = value;
    return to.length - 1;
  }

  // --- shapes -------------------------------------------------------------

  // `write` and `read` are compiled once a shape has proved frequent.
  const shapesById = list();
  const byFirstKey = new CodecMap();
  let firstKeys = 0;
  const HOT = 8;

  function newShape(id, keys) {
    const shape = { id, keys, read: null, write: null, reads: 0, writes: 0 };
    shapesById[id] = shape;
    const first = keys.length === 0 ? '' : keys[0];
    let same = mapGet(byFirstKey, first);
    if (same === undefined) {
      same = list();
      mapSet(byFirstKey, first, same);
      firstKeys++;
    }
    append(same, shape);
    return shape;
  }

  // The text that names a shape between isolates: each key behind its length.
  function shapeToText(keys) {
    let s = '';
    for (let i = 0; i < keys.length; i++) s += `${keys[i].length}:${keys[i]}`;
    return s;
  }

  function textToShape(s) {
    const keys = list();
    for (let at = 0; at < s.length; ) {
      const colon = textIndexOf(s, ':', at);
      const end = colon + 1 + +substring(s, at, colon);
      // Through a property, so that the key is the engine's internal string
      // and compares by identity with what Object.keys() gives.
      append(keys, ownKeys({ [substring(s, colon + 1, end)]: 0 })[0]);
      at = end;
    }
    return keys;
  }

  function sameKeys(a, b) {
    if (a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
    return true;
  }

  let lastShape = null;

  function shapeFor(keys) {
    if (lastShape !== null && sameKeys(lastShape.keys, keys)) return lastShape;
    const n = keys.length;
    if (n > MAX_SHAPE_KEYS) return null;
    const same = mapGet(byFirstKey, n === 0 ? '' : keys[0]);
    if (same !== undefined) {
      for (let i = 0; i < same.length; i++) {
        if (sameKeys(same[i].keys, keys)) return (lastShape = same[i]);
      }
      // So many with one first key are records keyed by data, not shapes.
      if (same.length >= 32) return null;
    } else if (firstKeys >= 2048) {
      return null;
    }
    const id = defineShape(shapeToText(keys));
    if (id < 0) return null;
    return (lastShape = shapesById[id] ?? newShape(id, keys));
  }

  function shapeById(id) {
    const known = shapesById[id];
    if (known !== undefined) return known;
    return newShape(id, textToShape(shapeText(id)));
  }

  function compileWriter(shape) {
    let body = 'return function write(o) {\n';
    for (let i = 0; i < shape.keys.length; i++) {
      body += `value(o[${stringify(shape.keys[i])}]);\n`;
    }
    return compiled(`${body}}`, writeProperty);
  }

  function compileReader(shape) {
    let body = 'return function read() { return {\n';
    for (let i = 0; i < shape.keys.length; i++) {
      const key = stringify(shape.keys[i]);
      // Only a computed `__proto__` defines a property.
      body += `${key === '"__proto__"' ? `[${key}]` : key}: value(),\n`;
    }
    return compiled(`${body}}; }`, readValue);
  }

  // null where the host may not make code out of text.
  function compiled(body, value) {
    const make = compileFunction('value', body);
    return make === null ? null : make(value);
  }

  // --- encoder ------------------------------------------------------------

  const out = {
    kind: 0,
    number: 0,
    slotCount: 0,
    text: undefined,
    more: undefined,
    bytes: 0,
    slots: new Float64(SCRATCH),
  };
  let lastOut = out;
  let slots = out.slots;
  let capacity = SCRATCH;
  let at = 0;
  let gathered = '';
  let texts = null;
  let buffers = null;
  let transfer = null;
  let transferred = null;
  let sizes = null;
  // The ancestors of the value being written, the first NEAR of them.
  const path = list();
  for (let i = 0; i < NEAR; i++) path[i] = null;
  let depth = 0;
  let deep = null;
  let limit = 0;
  let counted = 0;
  let busy = false;
  let spare = null;
  // Thrown by encode() and caught by its hosts, by identity; users never see
  // it.
  const refused = sharedRefused ?? { reason: 0 };

  function refuse(reason) {
    refused.reason = reason;
    throw refused;
  }

  function grow(extra) {
    if ((at + extra) * 8 + counted > limit) refuse(Refusal.TOO_LARGE);
    let wanted = capacity * 2;
    while (wanted < at + extra) wanted *= 2;
    const bigger = new Float64(wanted);
    f64Set(bigger, slots);
    slots = out.slots = bigger;
    capacity = wanted;
  }

  function flush() {
    if (gathered.length === 0) return;
    if (texts === null) texts = list();
    append(texts, gathered);
    gathered = '';
  }

  function count(bytes) {
    counted += bytes;
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
  function writeValue(v) {
    if (at + 8 > capacity) grow(8);
    switch (typeof v) {
      case 'number':
        if (v < TAG && v > -Infinity) {
          slots[at++] = v;
        } else if (isFinite(v)) {
          slots[at++] = T_BIG;
          slots[at++] = v;
        } else {
          refuse(Refusal.NOT_FINITE);
        }
        return;
      case 'string':
        writeString(v);
        return;
      case 'boolean':
        slots[at++] = v ? T_TRUE : T_FALSE;
        return;
      case 'undefined':
        // Inside a structure only; a property is dropped before it gets here.
        slots[at++] = T_NULL;
        return;
      case 'object':
        if (v === null) slots[at++] = T_NULL;
        else writeObject(v);
        return;
      default:
        refuse(Refusal.UNSUPPORTED);
    }
  }

  // A shaped object keeps its key with `undefined`; the reader drops it.
  function writeProperty(v) {
    if (v === undefined) {
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
    writeBinary(v);
  }

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
    if (++shape.writes === HOT) shape.write = compileWriter(shape);
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

  function isBuffer(v) {
    try {
      bufferBytes(v);
      return true;
    } catch {
      return false;
    }
  }

  function isDetached(buffer) {
    try {
      new Octets(buffer);
      return false;
    } catch {
      return true;
    }
  }

  // A view that its buffer shrank away from reads as an empty one.
  function isOutOfBounds(v, type) {
    if (type === -1 || type === DATA_VIEW) return false;
    try {
      viewKeys(v);
      return false;
    } catch {
      return true;
    }
  }

  function addBuffer(buffer, moved, size) {
    if (buffers === null) {
      buffers = list();
      transferred = list();
      sizes = list();
    }
    append(transferred, moved);
    append(sizes, size);
    return append(buffers, buffer);
  }

  function moves(buffer) {
    // Shared memory cannot be moved: a view on it is copied.
    return (
      transfer !== null && indexOf(transfer, buffer) !== -1 && isBuffer(buffer)
    );
  }

  // A moved buffer that several views share is listed once.
  function movedIndex(buffer) {
    const known = buffers === null ? -1 : indexOf(buffers, buffer);
    return known !== -1 ? known : addBuffer(buffer, true, byteSizeOf(buffer));
  }

  function byteSizeOf(v) {
    if (!isView(v)) return bufferBytes(v);
    return viewTag(v) === undefined ? dataViewBytes(v) : viewBytes(v);
  }

  // A getter may have shrunk or detached what was written before it.
  function checkSizes() {
    if (buffers === null) return;
    for (let i = 0; i < buffers.length; i++) {
      if (byteSizeOf(buffers[i]) !== sizes[i]) refuse(Refusal.UNREADABLE);
    }
  }

  function writeBinary(v) {
    let type;
    let buffer;
    let offset;
    let length;
    let size;
    if (isView(v)) {
      const name = viewTag(v);
      type = name === undefined ? DATA_VIEW : indexOf(viewNames, name);
      if (type === -1) refuse(Refusal.UNSUPPORTED);
      try {
        if (type === DATA_VIEW) {
          buffer = dataViewBuffer(v);
          offset = dataViewOffset(v);
          length = size = dataViewBytes(v);
        } else {
          buffer = viewBuffer(v);
          offset = viewOffset(v);
          length = viewLength(v);
          size = viewBytes(v);
        }
      } catch {
        refuse(Refusal.UNREADABLE);
      }
    } else {
      if (!isBuffer(v)) refuse(Refusal.UNSUPPORTED);
      type = -1;
      buffer = v;
      size = bufferBytes(v);
    }
    if (size === 0 && (isDetached(buffer) || isOutOfBounds(v, type))) {
      refuse(Refusal.UNREADABLE);
    }
    count(size);
    let index;
    if (moves(buffer)) {
      index = movedIndex(buffer);
    } else {
      // Only the viewed window travels.
      index = addBuffer(v, false, size);
      offset = 0;
    }
    if (type === -1) {
      slots[at++] = T_BUFFER;
      slots[at++] = index;
      return;
    }
    slots[at++] = T_VIEW;
    slots[at++] = type;
    slots[at++] = index;
    slots[at++] = offset;
    slots[at++] = length;
  }

  function reset() {
    at = 0;
    depth = 0;
    for (let i = 0; i < NEAR; i++) path[i] = null;
    deep = null;
    gathered = '';
    texts = buffers = transfer = transferred = sizes = null;
    counted = 0;
    if (capacity > 8 * SCRATCH) {
      capacity = SCRATCH;
      slots = out.slots = new Float64(SCRATCH);
    }
  }

  function encodeStructured(v, maxBytes, transferList) {
    busy = true;
    limit = maxBytes;
    transfer = transferList ?? null;
    try {
      writeObject(v);
      checkSizes();
      if (texts !== null) {
        flush();
        out.text = texts[0];
      } else {
        out.text = gathered.length === 0 ? undefined : gathered;
      }
      out.bytes = at * 8 + counted + gathered.length;
      if (out.bytes > maxBytes) refuse(Refusal.TOO_LARGE);
      out.more =
        (texts === null || texts.length === 1) && buffers === null
          ? undefined
          : [texts, buffers, transferred];
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
  // `texts` includes the first one.
  function encode(v, maxBytes, transferList) {
    // A getter of the value being written encodes a value of its own.
    if (busy) return (lastOut = nested().encode(v, maxBytes, transferList));
    lastOut = out;
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
    if (spare === null) spare = createCodec(host, refused);
    return spare;
  }

  // --- decoder ------------------------------------------------------------

  let input = null;
  let cursor = 0;
  let text = '';
  let textAt = 0;
  let nextText = 0;
  let moreTexts = null;
  let inBuffers = null;
  let undefinedSeen = 0;

  function readText(length) {
    if (length === 0) return '';
    if (textAt === text.length) {
      text = moreTexts[nextText++];
      textAt = 0;
    }
    const from = textAt;
    textAt += length;
    return from === 0 && textAt === text.length
      ? text
      : substring(text, from, textAt);
  }

  function readValue() {
    const x = input[cursor++];
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
        return input[cursor++];
      case TEXT:
        return takeWholeText();
      case ARRAY:
        return readArray();
      case SHAPE:
        return readShaped();
      case OBJECT:
        return readPairs();
      case BUFFER:
        return inBuffers[input[cursor++]];
      default:
        return readView();
    }
  }

  function takeWholeText() {
    // What was gathered before is used up, or this is the very first text.
    if (textAt === text.length) return moreTexts[nextText++];
    textAt = text.length;
    return text;
  }

  function readArray() {
    const n = input[cursor++];
    const a = new CodecArray(n);
    for (let i = 0; i < n; i++) {
      const x = input[cursor];
      if (x < TAG) {
        a[i] = x;
        cursor++;
      } else {
        a[i] = readValue();
      }
    }
    return a;
  }

  function readShaped() {
    const shape = shapeById(input[cursor++]);
    const { keys } = shape;
    if (shape.read === null) {
      if (++shape.reads === HOT) shape.read = compileReader(shape);
      const parts = { __proto__: null };
      for (let i = 0; i < keys.length; i++) {
        const v = readValue();
        if (v !== undefined) parts[keys[i]] = v;
      }
      return finish(parts);
    }
    const before = undefinedSeen;
    const o = shape.read();
    return undefinedSeen === before ? o : withoutUndefined(o, keys);
  }

  // Spreading defines properties, whatever setters Object.prototype has, and
  // gives an ordinary fast object.
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

  function readPairs() {
    const n = input[cursor++];
    const parts = { __proto__: null };
    for (let i = 0; i < n; i++) {
      const key = readValue();
      const v = readValue();
      if (v !== undefined) parts[key] = v;
    }
    return finish(parts);
  }

  function readView() {
    const View = viewTypes[input[cursor++]];
    const buffer = inBuffers[input[cursor++]];
    const offset = input[cursor++];
    return new View(buffer, offset, input[cursor++]);
  }

  // The value of a structured payload. `run` holds its slots from `from` on;
  // `more` is [ownSlots, furtherTexts, buffers] or undefined.
  function decodeStructured(run, from, firstText, more) {
    input = run;
    cursor = from;
    text = firstText ?? '';
    textAt = 0;
    nextText = 0;
    moreTexts = inBuffers = null;
    if (more !== undefined) {
      if (more[0] !== undefined) {
        input = more[0];
        cursor = 0;
      }
      moreTexts = more[1];
      inBuffers = more[2];
    }
    const value = readValue();
    input = moreTexts = inBuffers = null;
    text = '';
    return value;
  }

  function decode(kind, number, run, from, firstText, more) {
    switch (kind) {
      case KIND_UNDEFINED:
        return undefined;
      case KIND_NULL:
        return null;
      case KIND_TRUE:
        return true;
      case KIND_FALSE:
        return false;
      case KIND_NUMBER:
        return number;
      case KIND_STRING:
        return firstText ?? '';
      default:
        return decodeStructured(run, from, firstText, more);
    }
  }

  // What encode() returned last.
  function last() {
    return lastOut;
  }

  return { encode, decode, last, refused };
}

module.exports = { createCodec, Refusal };
