'use strict';

/* global host, load */
const {
  clonePlatformGraph,
  hasPlatformObject,
} = require('../lib/clone-graph.js');
const { platform } = require('../lib/clone-platform.js');
const { nativeError } = require('../lib/node-error.js');
const { since } = require('../lib/versions.js');
const { isObject, sequence } = require('../lib/webidl.js');

function dataCloneError(message) {
  const { DOMException } = require('sw:events');
  return new DOMException(message, 'DataCloneError');
}

const typeError = (code, message) => nativeError(TypeError, code, message);

// Our native's text for what is no ArrayBuffer.
const INVALID = 'Value could not be transferred';

const invalidTransfer = () =>
  since(22)
    ? dataCloneError('Found invalid value in transferList.')
    : typeError(
        'ERR_INVALID_TRANSFER_OBJECT',
        'Found invalid object in transferList',
      );

function transferOf(value) {
  const messaging = load.loaded('messaging');
  if (messaging?.isPort(value)) {
    return {
      name: 'MessagePort',
      isTransferable: messaging.isTransferablePort(value),
      reason: 'MessagePort in transfer list is already detached',
      move: () => messaging.transferPort(value),
    };
  }
  // Writable and transform streams load it as well.
  if (load.loaded('internal/webstreams/util') === undefined) return undefined;
  const { isStream, lockedIn, move } = require('sw:streams');
  if (!isStream(value)) return undefined;
  const locked = lockedIn(value);
  return {
    isTransferable: locked === undefined,
    reason: `Cannot transfer a locked ${locked}`,
    move: () => move(value),
  };
}

// The first fault of the list is told: what V8 is to move is read later.
function duplicateTransfer(value, transfer, native) {
  const { isArrayBuffer } = host.binding('types');
  if (!native.every((each) => isArrayBuffer(each))) return invalidTransfer();
  const { getConstructorName, isArrayBufferDetached } = host.binding('util');
  if (since(22) && native.some((each) => isArrayBufferDetached(each))) {
    return dataCloneError('Cannot transfer object of unsupported type.');
  }
  const name = transfer?.name ?? getConstructorName(value);
  return dataCloneError(`Transfer list contains duplicate ${name}`);
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
  const seen = new Set();
  for (const value of list) {
    const transfer = transferOf(value);
    if (seen.has(value)) throw duplicateTransfer(value, transfer, native);
    seen.add(value);
    if (transfer === undefined) {
      native.push(value);
      continue;
    }
    if (!transfer.isTransferable) {
      throw dataCloneError(transfer.reason);
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
  if (host.structuredCloneAsking !== undefined) {
    return cloneAsking(value, native, cloneOf, classes.refuse);
  }
  const kinds = { cloneOf, refuse: classes.refuse };
  if (!hasPlatformObject(value, kinds)) return clone(value);
  return clonePlatformGraph(value, kinds, clone);
}

// V8 asks of each object whose class it does not know; copies that it does not
// make are made when it has written all others.
function cloneAsking(value, transfer, cloneOf, refuse) {
  const makers = [];
  const ask = (part) => {
    const make = cloneOf(part);
    if (make !== undefined) return makers.push(make) - 1;
    refuse(part);
    return undefined;
  };
  const makeAll = () => makers.map((make) => make());
  return withErrors(() =>
    host.structuredCloneAsking(value, transfer, ask, makeAll),
  );
}

const cloneNative = (value, transfer) =>
  withErrors(() => host.structuredClone(value, transfer));

/** Gives what `clone()` gives; V8's errors become those of the platform. */
function withErrors(clone) {
  try {
    return clone();
  } catch (error) {
    if (error?.name !== 'DataCloneError') throw error;
    if (error.message === INVALID) throw invalidTransfer();
    throw dataCloneError(error.message);
  }
}

/** The copy, and the ports among what was transferred; for ports. */
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
  if (arguments.length === 0) throw typeError('ERR_MISSING_ARGS', missing());
  return cloneWithPorts(value, transferList(options)).data;
}

// As many as Node shows.
Object.defineProperty(structuredClone, 'length', { value: since(22) ? 2 : 0 });

const missing = () => {
  const text = 'The value argument must be specified';
  return since(22) ? `The "${text}" argument must be specified` : text;
};
const invalidType = (message) => typeError('ERR_INVALID_ARG_TYPE', message);
const failed = (reason) =>
  invalidType(`Failed to execute 'structuredClone': ${reason}`);

const notOptions = () =>
  since(22)
    ? failed('Options cannot be converted to a dictionary')
    : invalidType('The options argument must be either an object or undefined');

const notList = () => {
  if (!since(22)) {
    return invalidType('Optional transferList argument must be an iterable');
  }
  const not = since(24) ? 'cannot' : 'can not';
  return failed(`transfer in Options ${not} be converted to sequence.`);
};

function notObject(index) {
  if (!since(22)) return invalidTransfer();
  return since(24)
    ? failed(`transfer in Options[${index}] is not an object.`)
    : invalidType('Value is not an object');
}

// Node 20 moves nothing then, where the standard has an error.
const isIgnored = (transfer) =>
  !since(22) &&
  (transfer === null ||
    (isObject(transfer) && typeof transfer[Symbol.iterator] !== 'function'));

function transferList(options) {
  if (options === undefined || options === null) return [];
  if (!isObject(options)) throw notOptions();
  const { transfer } = options;
  if (transfer === undefined || isIgnored(transfer)) return [];
  let index = 0;
  const checked = (item) => {
    if (!isObject(item)) throw notObject(index);
    index += 1;
    return item;
  };
  return sequence(transfer, 'structuredClone', checked, notList);
}

module.exports = { cloneWithPorts, invalidTransfer, structuredClone };
