'use strict';

/* global host, load */
const { need } = require('../lib/webidl.js');
const {
  clonePlatformGraph,
  hasPlatformObject,
} = require('../lib/clone-graph.js');

function dataCloneError(message) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, 'DataCloneError');
}

// Objects of these cannot be cloned, although V8 would copy their properties.
const UNCLONEABLE = {
  encoding: ['TextDecoder', 'TextEncoder'],
  events: ['Event', 'EventTarget'],
  streams: ['ReadableStream', 'TransformStream', 'WritableStream'],
  url: ['URL', 'URLSearchParams'],
};

// V8 knows nothing of the classes that this runtime adds. While none of their
// bundles was loaded there can be no such object to look for.
function platform() {
  const refused = [];
  for (const bundle of Object.keys(UNCLONEABLE)) {
    const exports = load.loaded(bundle);
    if (!exports) continue;
    for (const name of UNCLONEABLE[bundle]) refused.push(exports[name]);
  }
  const events = load.loaded('events');
  const blob = load.loaded('blob');
  if (refused.length === 0 && !blob) return undefined;
  return { ...events, ...blob, refuse: (value) => refuse(value, refused) };
}

function refuse(value, classes) {
  for (const Class of classes) {
    if (value instanceof Class) {
      throw dataCloneError(`${Class.name} object could not be cloned`);
    }
  }
}

function structuredClone(value, options = undefined) {
  need(1, arguments.length, 'structuredClone');
  if (
    options !== undefined &&
    options !== null &&
    typeof options !== 'object'
  ) {
    throw new TypeError('structuredClone: the options are no object');
  }
  const transfer = [...(options?.transfer ?? [])];
  if (new Set(transfer).size !== transfer.length) {
    throw dataCloneError('The transfer list holds an object twice');
  }
  const classes = platform();
  if (classes && hasPlatformObject(value, classes)) {
    return clonePlatformGraph(value, classes, (part) => native(part, transfer));
  }
  return native(value, transfer);
}

function native(value, transfer) {
  try {
    return host.structuredClone(value, transfer);
  } catch (error) {
    if (error?.name !== 'DataCloneError') throw error;
    throw dataCloneError(error.message);
  }
}

module.exports = { structuredClone };
