'use strict';
// The byte buffers and views of one value while it is written: their types, and
// whether each is copied or moved.

const {
  Octets,
  append,
  bufferBytes,
  dataViewBuffer,
  dataViewBytes,
  dataViewOffset,
  indexOf,
  isView,
  list,
  sharedBytes,
  viewBuffer,
  viewBytes,
  viewKeys,
  viewLength,
  viewOffset,
  viewTag,
} = require('./captured.js');
const {
  DATA_VIEW,
  NODE_BUFFER,
  OCTETS,
  Carry,
  Refusal,
  VIEW_NAMES,
} = require('./grammar.js');

function isBuffer(v) {
  try {
    bufferBytes(v);
    return true;
  } catch {
    return false;
  }
}

function isShared(v) {
  try {
    sharedBytes(v);
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

function byteSizeOf(v) {
  if (!isView(v)) return bufferBytes(v);
  return viewTag(v) === undefined ? dataViewBytes(v) : viewBytes(v);
}

const never = () => false;

// `staysHere(buffer)` is true for a buffer that is copied even if it is in the
// transfer list.
// `isNodeBuffer(octets)` is true for a Uint8Array that is one of Node's Buffers.
function createByteParts(refuse, staysHere = never, isNodeBuffer = never) {
  // Lists of one length, null while there is no part.
  const parts = {
    buffers: null,
    moved: null,
    begin,
    clear,
    describe,
    add,
    checkSizes,
  };
  let sizes = null;
  let transfer = null;
  let exact = false;
  let sharesMemory = false;
  // The record that describe() returns. Type -1 is a buffer itself.
  const part = {
    v: null,
    type: -1,
    buffer: null,
    offset: 0,
    length: 0,
    size: 0,
  };

  function begin(transferList, carry) {
    transfer = transferList ?? null;
    exact = carry === Carry.EXACTLY;
    sharesMemory = exact || carry === Carry.SHARING;
  }

  function clear() {
    parts.buffers = parts.moved = sizes = transfer = null;
    part.v = part.buffer = null;
  }

  function describe(v) {
    part.v = v;
    if (isView(v)) {
      describeView(v);
      // A copy would no longer share the memory.
      if (exact && !isBuffer(part.buffer)) refuse(Refusal.UNSUPPORTED);
      if (sharesMemory && isShared(part.buffer)) {
        part.size = 0;
        return part;
      }
    } else if (sharesMemory && isShared(v)) {
      part.type = -1;
      part.buffer = v;
      part.size = 0;
      return part;
    } else {
      if (!isBuffer(v)) refuse(Refusal.UNSUPPORTED);
      part.type = -1;
      part.buffer = v;
      part.size = bufferBytes(v);
    }
    if (
      part.size === 0 &&
      (isDetached(part.buffer) || isOutOfBounds(v, part.type))
    ) {
      refuse(Refusal.UNREADABLE);
    }
    return part;
  }

  function describeView(v) {
    const name = viewTag(v);
    const type = name === undefined ? DATA_VIEW : indexOf(VIEW_NAMES, name);
    if (type === -1) refuse(Refusal.UNSUPPORTED);
    part.type = type;
    try {
      if (type === DATA_VIEW) {
        part.buffer = dataViewBuffer(v);
        part.offset = dataViewOffset(v);
        part.length = part.size = dataViewBytes(v);
      } else {
        part.buffer = viewBuffer(v);
        part.offset = viewOffset(v);
        part.length = viewLength(v);
        part.size = viewBytes(v);
      }
    } catch {
      refuse(Refusal.UNREADABLE);
    }
    // A structured clone makes a Uint8Array of it.
    if (type === OCTETS && !exact && isNodeBuffer(v)) part.type = NODE_BUFFER;
  }

  // Returns the index of the buffer that travels for the described part.
  function add(described) {
    if (moves(described.buffer)) return movedIndex(described.buffer);
    if (sharesMemory && isShared(described.buffer)) {
      return sharedIndex(described.buffer);
    }
    // Only the viewed window travels.
    described.offset = 0;
    return addBuffer(described.v, false, described.size);
  }

  function moves(buffer) {
    // Shared memory cannot be moved: a view on it is copied.
    return (
      transfer !== null &&
      indexOf(transfer, buffer) !== -1 &&
      isBuffer(buffer) &&
      !staysHere(buffer)
    );
  }

  // A moved buffer that several views share is listed once.
  function movedIndex(buffer) {
    const known = parts.buffers === null ? -1 : indexOf(parts.buffers, buffer);
    return known !== -1 ? known : addBuffer(buffer, true, byteSizeOf(buffer));
  }

  function sharedIndex(buffer) {
    const known = parts.buffers === null ? -1 : indexOf(parts.buffers, buffer);
    return known !== -1 ? known : addBuffer(buffer, false, 0);
  }

  function addBuffer(buffer, isMoved, size) {
    if (parts.buffers === null) {
      parts.buffers = list();
      parts.moved = list();
      sizes = list();
    }
    append(parts.moved, isMoved);
    append(sizes, size);
    return append(parts.buffers, buffer);
  }

  // A getter may have shrunk or detached a buffer that was written before it.
  function checkSizes() {
    if (parts.buffers === null) return;
    for (let i = 0; i < parts.buffers.length; i++) {
      const size =
        sharesMemory && isShared(parts.buffers[i])
          ? 0
          : byteSizeOf(parts.buffers[i]);
      if (size !== sizes[i]) refuse(Refusal.UNREADABLE);
    }
  }

  return parts;
}

module.exports = { createByteParts, isBuffer };
