'use strict';

/* global host, load */
const {
  clonePlatformGraph,
  hasPlatformObject,
} = require('../lib/clone-graph.js');
const { platform } = require('../lib/clone-platform.js');
const { need, sequence } = require('../lib/webidl.js');

function dataCloneError(message) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, 'DataCloneError');
}

function transferOf(value) {
  const messaging = load.loaded('messaging');
  if (messaging?.isPort(value)) {
    return {
      isTransferable: messaging.isTransferablePort(value),
      move: () => messaging.transferPort(value),
    };
  }
  // Writable and transform streams load it as well.
  if (load.loaded('internal/webstreams/util') === undefined) return undefined;
  const { isLocked, isStream, move } = require('sw:streams');
  if (!isStream(value)) return undefined;
  return { isTransferable: !isLocked(value), move: () => move(value) };
}

/**
 * Sorts a transfer list.
 *
 * @returns {{ native: object[], moves: Map<object, () => object> }} what V8
 *   moves, and what takes the place of the others
 */
function readTransfer(list) {
  const native = [];
  const moves = new Map();
  if (new Set(list).size !== list.length) {
    throw dataCloneError('The transfer list holds an object twice');
  }
  for (const value of list) {
    const transfer = transferOf(value);
    if (transfer === undefined) {
      native.push(value);
      continue;
    }
    if (!transfer.isTransferable) {
      const name = value.constructor?.name ?? 'object';
      throw dataCloneError(`The ${name} is locked or was transferred already`);
    }
    let moved;
    moves.set(value, () => {
      moved ??= transfer.move();
      return moved;
    });
  }
  return { native, moves };
}

function cloneWith(value, { native, moves }) {
  const classes = platform(dataCloneError);
  const clone = (part) => cloneNative(part, native);
  if (classes === undefined) return clone(value);
  const cloneOf = (part) => moves.get(part) ?? classes.cloneOf(part);
  const kinds = { cloneOf, refuse: classes.refuse };
  if (!hasPlatformObject(value, kinds)) return clone(value);
  return clonePlatformGraph(value, kinds, clone);
}

function cloneNative(value, transfer) {
  try {
    return host.structuredClone(value, transfer);
  } catch (error) {
    if (error?.name !== 'DataCloneError') throw error;
    throw dataCloneError(error.message);
  }
}

/** For ports: the copy, and the ports among what was transferred. */
function cloneWithPorts(value, list) {
  const transfer = readTransfer(list);
  const data = cloneWith(value, transfer);
  const ports = [];
  for (const move of transfer.moves.values()) {
    const moved = move();
    if (load.loaded('messaging')?.isPort(moved)) ports.push(moved);
  }
  return { data, ports };
}

function structuredClone(value, options = undefined) {
  need(1, arguments.length, 'structuredClone');
  return cloneWithPorts(value, transferList(options)).data;
}

function transferList(options) {
  if (options === undefined || options === null) return [];
  if (typeof options !== 'object' && typeof options !== 'function') {
    throw new TypeError('structuredClone: the options are no object');
  }
  const { transfer } = options;
  if (transfer === undefined) return [];
  const list = sequence(transfer, 'structuredClone: transfer');
  for (const item of list) {
    if (item !== Object(item)) {
      throw new TypeError('structuredClone: transfer holds no object');
    }
  }
  return list;
}

module.exports = { cloneWithPorts, structuredClone };
