'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The channels between a
// running job (or the worker as a whole, seq 0) and its owner: emitted values,
// streamed results and inputs, host functions, the port of message workers.
// lib/executors/channels.js is the other end.
const { options, checkpoint, now } = native;
const {
  ASYNC_ITERATOR,
  RealmError,
  RealmMap,
  RealmPromise,
  defineProperty,
  floor,
  freeze,
  mapDelete: mapDeleteOf,
  mapForEach: mapForEachOf,
  mapGet,
  mapSet,
  uncurry,
} = require('./primordials.js');
const { Carry } = require('../../lib/protocol/codec/grammar.js');
const { Channel, Limit, Sent } = require('../../lib/protocol/wire.gen.js');

runtime.need?.('errors');
const { codec, codedError, encodeOrThrow, rare, report } = runtime;
const { message } = runtime.more();
const { refused } = codec;
const mapDelete = uncurry(mapDeleteOf);
const mapForEach = uncurry(mapForEachOf);
const { status: STATUS } = options;

function send(seq, channel, value, transfer, carry) {
  return sendEncoded(seq, channel, encodeOrThrow(value, transfer, carry));
}

// Returns false if the job is over, or is about to be ended.
function sendEncoded(seq, channel, o) {
  const sent = message(
    seq,
    channel,
    o.kind,
    o.number,
    o.slots,
    o.slotCount,
    o.text,
    o.more,
  );
  if (sent === Sent.NoMemory) {
    throw codedError(STATUS.ResourceLimit, options.noMemoryText);
  }
  return sent === Sent.Sent;
}

// Plain payloads have null in place of undefined, because only a result may be
// undefined.
runtime.emit = (seq, value) => {
  const isLeft = value !== undefined || options.clone === true;
  send(seq, Channel.Emit, isLeft ? value : null, runtime.movesOf(value));
};

// --- host functions -------------------------------------------------------

const calls = new RealmMap();
// Starts at a new number, because an answer for a replaced realm must not match
// a call of this one.
let lastCall = floor(now() * 1000);

function callHost(seq, name, args) {
  return new RealmPromise((resolve, reject) => {
    const id = ++lastCall;
    const sent = send(seq, Channel.Host, [id, name, [...args]]);
    if (!sent) {
      reject(codedError(STATUS.JobCancelled, options.cancelledText));
      return;
    }
    rare().hold(1);
    mapSet(calls, id, { seq, resolve, reject });
  });
}

// `reply` is [id, ok, value].
function onHostReply(reply) {
  const call = mapGet(calls, reply[0]);
  if (call === undefined) return;
  mapDelete(calls, reply[0]);
  rare().hold(-1);
  if (reply[1]) call.resolve(reply[2]);
  else call.reject(rebuild(reply[2]));
}

// Rebuilds an error of a host function from its class and text.
function rebuild({ name, message, code }) {
  const Class = runtime.errorClass(name);
  const error = new (Class ?? RealmError)(message);
  if (Class === undefined) {
    defineProperty(error, 'name', {
      __proto__: null,
      value: name,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
  if (code !== null) error.code = code;
  return error;
}

runtime.hostOf = (seq) => {
  const host = { __proto__: null };
  if (options.host === undefined) return freeze(host);
  for (let i = 0; i < options.host.length; i++) {
    const name = options.host[i];
    host[name] = (...args) => callHost(seq, name, args);
  }
  return freeze(host);
};

// --- results that stream --------------------------------------------------

// Streamed results by the job's number: { seq, iterator, credits, wake, ended
// }.
const streams = new RealmMap();

async function pump(current) {
  for (;;) {
    if (current.credits === 0 && !current.ended) {
      rare().hold(1);
      await new RealmPromise((resolve) => {
        current.wake = resolve;
      });
      rare().hold(-1);
    }
    if (current.ended) {
      await current.iterator.return?.();
      return undefined;
    }
    const { done, value } = await current.iterator.next();
    if (done) return value;
    current.credits--;
    let o;
    try {
      const moved = runtime.movesOf(value);
      o = codec.encode(value, options.maxResultBytes, moved);
    } catch (error) {
      if (error !== refused) throw error;
      return refuseItem(current.iterator, new UnsentItem(refused.reason));
    }
    let sent;
    try {
      sent = sendEncoded(current.seq, Channel.Stream, o);
    } catch {
      return refuseItem(current.iterator, new UnsentItem(Limit.UnsentNoMemory));
    }
    if (!sent) return undefined;
  }
}

// Rejection of a stream's promise for an item that cannot be sent.
class UnsentItem {
  #reason;

  constructor(reason) {
    this.#reason = reason;
  }

  static {
    runtime.unsentReason = (error) =>
      typeof error === 'object' && error !== null && #reason in error
        ? error.#reason
        : 0;
  }
}

async function refuseItem(iterator, unsent) {
  try {
    await iterator.return?.();
  } catch (error) {
    report(error);
  }
  throw unsent;
}

// Returns a promise of the generator's return value, settled after its values
// are delivered.
runtime.streamResult = (seq, iterator, credits) => {
  const stream = { seq, iterator, credits, wake: null, ended: false };
  mapSet(streams, seq, stream);
  return pump(stream);
};

function wakeStream(stream) {
  const { wake } = stream;
  stream.wake = null;
  if (wake !== null) wake();
}

// --- inputs that stream ---------------------------------------------------

// Credits of a stream; half of them are requested again once used up.

// Streamed inputs by the job's number: { seq, items, waiting, ended, error }.
const sources = new RealmMap();

let Input = null;

function inputClass() {
  return class InputStream {
    #source;

    constructor(from) {
      this.#source = from;
    }

    [ASYNC_ITERATOR]() {
      return this;
    }

    next() {
      const from = this.#source;
      return new RealmPromise((resolve, reject) => {
        const step = () => {
          if (from.first < from.count) {
            const value = from.items[from.first];
            delete from.items[from.first++];
            if (++from.used === Limit.StreamCredits / 2) {
              send(from.seq, Channel.Input, from.used);
              from.used = 0;
            }
            resolve({ done: false, value });
          } else if (from.ended) {
            if (from.error === undefined) resolve({ done: true });
            else reject(rebuild(from.error));
          } else {
            rare().hold(1);
            from.waiting = step;
          }
        };
        step();
      });
    }

    return() {
      send(this.#source.seq, Channel.InputEnd, null);
      this.#source.ended = true;
      return RealmPromise.resolve({ done: true });
    }
  };
}

runtime.streamedInput = (seq) => {
  const source = {
    seq,
    items: { __proto__: null },
    first: 0,
    count: 0,
    used: 0,
    waiting: null,
    ended: false,
    error: undefined,
  };
  mapSet(sources, seq, source);
  send(seq, Channel.Input, Limit.StreamCredits);
  Input ??= inputClass();
  return new Input(source);
};

function wakeSource(source) {
  const { waiting } = source;
  if (waiting === null) return;
  source.waiting = null;
  rare().hold(-1);
  waiting();
}

// --- the port of message workers (port.js) --------------------------------

let port = null;
let opening = false;
let early = [];

runtime.sendPort = (value, transfer) =>
  send(0, Channel.Port, value, transfer, Carry.EXACTLY);

// Earlier messages go to the first listener in a turn of their own, because the
// code after the listener's registration must run first.
runtime.setPort = (listener) => {
  if (opening) return;
  opening = true;
  runtime.setImmediate(() => {
    const waiting = early;
    early = [];
    port = listener;
    for (let i = 0; i < waiting.length; i++) {
      listener(waiting[i]);
      checkpoint(true);
    }
  });
};

function onPort(value) {
  if (port === null) early[early.length] = value;
  else port(value);
}

// --- mail -----------------------------------------------------------------

function onStreamMail(seq, channel, value) {
  const stream = mapGet(streams, seq);
  if (stream === undefined) return;
  if (channel === Channel.Stream) stream.credits += value;
  else stream.ended = true;
  wakeStream(stream);
}

function onInputMail(seq, channel, value) {
  const source = mapGet(sources, seq);
  if (source === undefined) return;
  if (channel === Channel.Input) {
    source.items[source.count++] = value;
  } else if (!source.ended) {
    source.ended = true;
    source.error = value ?? undefined;
  }
  wakeSource(source);
}

runtime.onMail = (seq, channel, value) => {
  try {
    if (channel === Channel.Host) onHostReply(value);
    else if (channel === Channel.Port) onPort(value);
    else if (channel === Channel.Shares) runtime.sharesGone(value);
    else if (channel === Channel.Stream || channel === Channel.StreamEnd) {
      onStreamMail(seq, channel, value);
    } else onInputMail(seq, channel, value);
  } catch (error) {
    report(error);
  }
};

// Drops the streams of a job that is over.
runtime.endChannels = (seq) => {
  const stream = mapGet(streams, seq);
  if (stream !== undefined) {
    mapDelete(streams, seq);
    stream.ended = true;
    wakeStream(stream);
  }
  const source = mapGet(sources, seq);
  if (source !== undefined) {
    mapDelete(sources, seq);
    if (source.waiting !== null) rare().hold(-1);
  }
};

// Drops the host calls of a job that shares the realm.
runtime.endCalls = (seq) => {
  mapForEach(calls, (call, id) => {
    if (call.seq !== seq) return;
    mapDelete(calls, id);
    rare().hold(-1);
  });
};
