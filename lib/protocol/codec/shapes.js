'use strict';
// Shapes: the lists of keys that objects have in common. Their ids mean the
// same in every realm of the process (the host keeps the list), so that an
// object travels as an id and its values.

const {
  CodecMap,
  append,
  list,
  mapGet,
  mapSet,
  ownKeys,
  substring,
  textIndexOf,
} = require('./captured.js');

const MAX_SHAPE_KEYS = 48;
// Number of uses after which a shape gets code of its own.
const HOT = 8;

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
    // A property makes the key the engine's internal string, which compares
    // by identity with what Object.keys() gives.
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

function createShapes(host) {
  const { defineShape, shapeText, compileFunction } = host;

  // `write` and `read` are compiled once a shape has proved frequent.
  const shapesById = list();
  const byFirstKey = new CodecMap();
  let firstKeys = 0;
  let lastShape = null;

  function newShape(id, keys) {
    const shape = {
      id,
      keys,
      read: null,
      write: null,
      reads: 0,
      writes: 0,
      // Shape of the object that the encoder wrote after one of this shape.
      next: null,
      other: null,
    };
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

  function shapeFor(keys) {
    if (lastShape !== null && sameKeys(lastShape.keys, keys)) return lastShape;
    const n = keys.length;
    if (n > MAX_SHAPE_KEYS) return null;
    const same = mapGet(byFirstKey, n === 0 ? '' : keys[0]);
    if (same !== undefined) {
      for (let i = 0; i < same.length; i++) {
        if (sameKeys(same[i].keys, keys)) return (lastShape = same[i]);
      }
      // This many shapes with one first key are records keyed by data.
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

  // null where the host may not make code out of text.
  function compile(body, of) {
    const make = compileFunction('of', body);
    return make === null ? null : make(of);
  }

  return { shapeFor, shapeById, compile };
}

module.exports = { HOT, createShapes };
