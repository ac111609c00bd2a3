'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Errors on their way to
// the caller: thrown values become plain descriptions, which
// lib/errors/rebuild-error.js turns back.
const { options } = native;
const {
  ERRORS,
  RealmError,
  RealmMap,
  TO_STRING_TAG,
  defineProperty,
  getPrototypeOf,
  hasOwn,
  mapGet,
  mapSet,
  ownKeys,
  slice,
  uncurry,
} = require('./primordials.js');
const { placeInClone } = require('../../lib/protocol/codec/clone-place.js');
const { Refusal } = require('../../lib/protocol/codec/grammar.js');
const { placeOfRefusal } = require('../../lib/protocol/codec/refusal-place.js');
const {
  Channel,
  Header,
  Limit,
  Sent,
} = require('../../lib/protocol/wire.gen.js');

const { more, rare } = runtime;
const { isError, message: send } = more();
// Threads of Node's do not have the part `stacks`.
runtime.need?.('stacks');
const { isInSources = () => false, unmapped = (read) => read() } = runtime;
const { codec } = runtime;
const { refused } = codec;
const { status: STATUS, maxResultBytes } = options;
const textSlice = uncurry(slice);

const MAX_CAUSES = 8;
const MAX_PROPERTIES = 256;
const MAX_ERRORS = 64;

// The names of ERRORS.
const NAMES = [
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
  'AggregateError',
  'CompileError',
  'LinkError',
  'RuntimeError',
];
const classes = { __proto__: null };
for (let i = 0; i < NAMES.length; i++) {
  // The error classes of WebAssembly are missing without it (--jitless).
  if (ERRORS[i] !== undefined) classes[NAMES[i]] = ERRORS[i];
}

// An error class by its name, whose constructor takes a message.
runtime.errorClass = (name) =>
  name === 'AggregateError' ? undefined : classes[name];

// Class names by prototype; made for the first error.
let builtIns = null;

function builtInsByPrototype() {
  const map = new RealmMap();
  for (const name in classes) mapSet(map, classes[name].prototype, name);
  return map;
}

// Reads a property, whose getter may throw.
function read(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

function textOf(value) {
  if (typeof value !== 'string') return undefined;
  return value.length > Limit.ErrorText
    ? textSlice(value, 0, Limit.ErrorText)
    : value;
}

function portable(value) {
  try {
    codec.encode(value, maxResultBytes);
    return true;
  } catch {
    return false;
  }
}

// Recognized by name, because its class comes with a bundle that may be loaded
// more than once. Node does the same.
const DOM_EXCEPTION = 'DOMException';

function builtInName(error) {
  if (read(error, TO_STRING_TAG) === DOM_EXCEPTION) return DOM_EXCEPTION;
  builtIns ??= builtInsByPrototype();
  try {
    for (let at = error; ; ) {
      at = getPrototypeOf(at);
      if (at === null) break;
      const name = mapGet(builtIns, at);
      if (name !== undefined) return name;
    }
  } catch {
    // A proxy in the chain threw: treated as an ordinary Error.
  }
  return 'Error';
}

function isErrorLike(thrown) {
  try {
    return isError(thrown) || thrown instanceof RealmError;
  } catch {
    // A proxy's trap.
    return false;
  }
}

function describe(thrown, depth) {
  if (!isErrorLike(thrown)) {
    return portable(thrown)
      ? { __proto__: null, value: thrown }
      : { __proto__: null, opaque: typeof thrown };
  }
  const described = {
    __proto__: null,
    type: builtInName(thrown),
    name: textOf(read(thrown, 'name')),
    message: textOf(read(thrown, 'message')),
    stack: textOf(unmapped(() => read(thrown, 'stack'))),
    props: properties(thrown),
  };
  if (isInSources(thrown)) described.mapped = true;
  if (depth < MAX_CAUSES) describeCauses(thrown, described, depth);
  return described;
}

function describeCauses(thrown, described, depth) {
  try {
    if (hasOwn(thrown, 'cause')) {
      described.cause = describe(thrown.cause, depth + 1);
    }
    if (!hasOwn(thrown, 'errors')) return;
    const { errors } = thrown;
    const n = errors.length;
    const list = [];
    for (let i = 0; i < n && i < MAX_ERRORS; i++) {
      defineProperty(list, i, {
        __proto__: null,
        enumerable: true,
        configurable: true,
        writable: true,
        value: describe(errors[i], depth + 1),
      });
    }
    described.errors = list;
  } catch {
    // An unreadable property is left out.
  }
}

function properties(error) {
  const props = { __proto__: null };
  let keys;
  try {
    keys = ownKeys(error);
  } catch {
    return props;
  }
  for (let i = 0; i < keys.length && i < MAX_PROPERTIES; i++) {
    const key = keys[i];
    if (key === 'cause' || key === 'errors' || key === 'stack') continue;
    const value = read(error, key);
    if (value !== undefined && portable(value)) props[key] = value;
  }
  return props;
}

// The encoded description of a thrown value.
runtime.encodeThrown = (thrown) => {
  try {
    return codec.encode(describe(thrown, 0), maxResultBytes);
  } catch {
    return codec.encode({ __proto__: null, opaque: 'error' }, maxResultBytes);
  }
};

// An error with a stable code, for code in the worker to catch.
runtime.codedError = (status, text) => {
  const error = new RealmError(text);
  error.name = 'SloppyWorkerError';
  error.code = rare().code(status);
  return error;
};

function isRefused(value) {
  try {
    codec.encode(value, Infinity);
    return false;
  } catch (error) {
    return error === refused && refused.reason !== Refusal.TOO_LARGE;
  }
}

runtime.placeOfRefusal =
  options.clone === true
    ? (root, value) => placeInClone(root, value, isRefused)
    : placeOfRefusal;

const REFUSAL_STATUS = [
  0,
  STATUS.UnsupportedPayload,
  STATUS.UnsupportedPayload,
  STATUS.SerializationFailed,
  STATUS.SerializationFailed,
  STATUS.ResourceLimit,
];

// Encodes a value that user code sends; a refusal becomes an error it can
// catch.
runtime.encodeOrThrow = (value, transfer, carry) => {
  try {
    return codec.encode(value, maxResultBytes, transfer, carry);
  } catch (error) {
    if (error !== refused) throw error;
    const { reason } = refused;
    throw runtime.codedError(
      REFUSAL_STATUS[reason],
      options.payloadTexts[reason],
    );
  }
};

// --- what is printed ---------------------------------------------------------

// Writes to stdout (1) or stderr (2), or to the owner while it listens.
runtime.write = (fd, text) => {
  const isHeard =
    rare().ownerHears() &&
    sendEncoded(0, Channel.Output, codec.encode([fd, text], Infinity)) ===
      Sent.Sent;
  if (!isHeard) rare().write(fd, text);
};

// --- what nobody caught -----------------------------------------------------

function textOfUncaught(error) {
  try {
    const stack = isError(error) ? read(error, 'stack') : undefined;
    return typeof stack === 'string' ? stack : `${error}`;
  } catch {
    return 'an error that cannot be shown';
  }
}

function printUncaught(channel, error) {
  const what =
    channel === Channel.Rejection ? 'Unhandled rejection' : 'Uncaught';
  runtime.write(2, `${what} in worker: ${textOfUncaught(error)}\n`);
}

function sendEncoded(seq, channel, o) {
  return send(
    seq,
    channel,
    o.kind,
    o.number,
    o.slots,
    o.slotCount,
    o.text,
    o.more,
  );
}

// An uncaught error ends a message worker (port.js). Elsewhere it is reported
// to the owner with the running job; without a listener there, it is written to
// stderr.
runtime.reportToOwner = (channel, error) => {
  if (runtime.uncaught !== undefined) {
    runtime.uncaught(error);
    return;
  }
  if (!rare().ownerListens()) printUncaught(channel, error);
  const o = runtime.encodeThrown(error);
  const seq = options.shared ? rare().jobOfCode() : native.H[Header.Seq];
  let sent = sendEncoded(seq, channel, o);
  if (sent === Sent.Gone) sent = sendEncoded(0, channel, o);
  // The owner listens, but there was no memory for the report.
  if (sent === Sent.NoMemory && rare().ownerListens())
    printUncaught(channel, error);
};
