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

// V8 knows nothing of the classes that this runtime adds. While none of their
// bundles was loaded there can be no such object to look for.
function platform() {
  const events = load.loaded('events');
  const blob = load.loaded('blob');
  if (!events && !blob) return undefined;
  return { ...events, ...blob, streams: load.loaded('streams') };
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
