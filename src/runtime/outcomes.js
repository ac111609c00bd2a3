'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Ends jobs: with the
// returned value, the result of their promise or stream, or the thrown value.
const { options, checkpoint, afterCheckpoint, afterTurn, isPromise } = native;
const { ASYNC_ITERATOR, RealmPromise, then } = require('./primordials.js');
const { Refusal } = require('../../lib/protocol/codec/grammar.js');
const { Detail, JobMode, Limit } = require('../../lib/protocol/wire.gen.js');

const { codec, putNumber, putSmall, rare } = runtime;
const { refused } = codec;
const { status: STATUS, maxResultBytes } = options;

const NO_MODE = 0;

// Called when a job is over while the realm runs others.
function onOver(seq) {
  runtime.endChannels?.(seq);
  runtime.endCalls?.(seq);
  runtime.forgetSignal(seq);
}

const done = options.shared
  ? (seq, status, detail, kind, number, slots, slotCount, text, more) => {
      const tell = native.done;
      tell(seq, status, detail, kind, number, slots, slotCount, text, more);
      onOver(seq);
    }
  : native.done;

function sendThrown(seq, status, detail, thrown) {
  const o = runtime.encodeThrown(thrown);
  done(
    seq,
    status,
    detail,
    o.kind,
    o.number,
    o.slots,
    o.slotCount,
    o.text,
    o.more,
  );
}

function fail(seq, thrown) {
  sendThrown(seq, STATUS.JobFailed, Detail.None, thrown);
}

function refuseResult(seq, reason, value) {
  if (reason === Refusal.TOO_LARGE) {
    done(seq, STATUS.ResourceLimit, Detail.ResultTooLarge, 0, 0);
    return;
  }
  if (reason === Limit.UnsentNoMemory) {
    done(seq, STATUS.ResourceLimit, Detail.MemoryLimit, 0, 0);
    return;
  }
  const o = codec.encode(runtime.placeOfRefusal('result', value), Infinity);
  done(
    seq,
    STATUS.SerializationFailed,
    Detail.ResultUnsupported,
    o.kind,
    o.number,
    o.slots,
    o.slotCount,
    o.text,
    o.more,
  );
}

// The buffers that go along with a value (moves.js); null before the first.
let movesOf = null;

runtime.setMoves = (read) => {
  movesOf = read;
};
runtime.movesOf = (value) => (movesOf === null ? undefined : movesOf(value));

// Returns undefined if the result was refused, which has ended the job.
function encodeResult(seq, value) {
  try {
    return codec.encode(value, maxResultBytes, runtime.movesOf(value));
  } catch (error) {
    if (error !== refused) throw error;
    refuseResult(seq, refused.reason, value);
    return undefined;
  }
}

function succeedEncoded(seq, o) {
  done(seq, 0, 0, o.kind, o.number, o.slots, o.slotCount, o.text, o.more);
}

function succeed(seq, value) {
  const o = encodeResult(seq, value);
  if (o !== undefined) succeedEncoded(seq, o);
}

// Undefined where several jobs share the realm, because more has to be ended
// there.
const finish = options.shared ? undefined : native.finish;

// Results for serve(): as of next(), or ASK to call it.
const ASK = false;

const isFinite = (value) => typeof value === 'number' && value - value === 0;

// Marks a promise that is not fulfilled yet.
const UNSETTLED = { __proto__: null };

function succeedNow(seq, value) {
  if (isFinite(value)) {
    putNumber(value);
    return finish(true);
  }
  if (typeof value !== 'object' || value === null) {
    conclude(seq, value, NO_MODE);
    return ASK;
  }
  // Most promises settle in the microtasks, because their functions await
  // nothing that is pending; then no reaction is needed.
  const came = afterCheckpoint(value, UNSETTLED);
  if (isFinite(came)) {
    putNumber(came);
    return finish(false);
  }
  if (came === UNSETTLED) {
    settleLater(seq, value);
  } else if (came === value && typeof value.then === 'function') {
    settleLater(seq, new RealmPromise((resolve) => resolve(value)));
  } else {
    return succeedWith(seq, came);
  }
  return ASK;
}

function succeedWith(seq, value) {
  const o = encodeResult(seq, value);
  if (o === undefined) return ASK;
  if (putSmall(o)) return finish(false);
  succeedEncoded(seq, o);
  return ASK;
}

function settleLater(seq, promise) {
  then(
    promise,
    (value) => succeed(seq, value),
    (error) => fail(seq, error),
  );
  checkpoint();
}

function settleStream(seq, iterator) {
  then(
    runtime.streamResult(seq, iterator, Limit.StreamCredits),
    (value) => succeed(seq, value),
    (error) => {
      const reason = runtime.unsentReason(error);
      if (reason === 0) fail(seq, error);
      else refuseResult(seq, reason);
    },
  );
  checkpoint();
}

function conclude(seq, value, mode) {
  const object =
    (typeof value === 'object' && value !== null) ||
    typeof value === 'function';
  if (object && mode & JobMode.Stream) {
    concludeStream(seq, value);
  } else if (object && isPromise(value)) {
    const came = afterCheckpoint(value, UNSETTLED);
    if (came === UNSETTLED) settleLater(seq, value);
    else succeed(seq, came);
  } else if (object && typeof value.then === 'function') {
    settleLater(seq, new RealmPromise((resolve) => resolve(value)));
  } else {
    // The job's microtasks are part of the job.
    checkpoint(true);
    succeed(seq, value);
  }
}

// The microtasks of a job that threw are part of the job too.
function failAfterMicrotasks(seq, thrown) {
  checkpoint(true);
  fail(seq, thrown);
}

const ignore = () => {};

// The same for threads of Node's, where microtasks cannot be run from here.
function concludeAfterTurn(seq, value, mode) {
  if (mode & JobMode.Stream) return conclude(seq, value, mode);
  // Handled, because no other code has seen this promise yet.
  if (isPromise(value)) then(value, ignore, ignore);
  afterTurn(() => {
    try {
      conclude(seq, value, mode);
    } catch (error) {
      fail(seq, error);
    }
  });
}

function concludeStream(seq, value) {
  if (rare().isGenerator(value)) {
    settleStream(seq, value);
  } else if (typeof value[ASYNC_ITERATOR] === 'function') {
    settleStream(seq, value[ASYNC_ITERATOR]());
  } else {
    conclude(seq, value, 0);
  }
}

runtime.ASK = ASK;
runtime.onOver = onOver;
runtime.done = done;
runtime.sendThrown = sendThrown;
runtime.fail = fail;
runtime.succeed = succeed;
runtime.succeedNow = finish === undefined ? undefined : succeedNow;
if (afterTurn === undefined) {
  runtime.conclude = conclude;
  runtime.failAfterMicrotasks = failAfterMicrotasks;
} else {
  runtime.conclude = concludeAfterTurn;
  runtime.failAfterMicrotasks = (seq, thrown) => {
    afterTurn(() => fail(seq, thrown));
  };
}
