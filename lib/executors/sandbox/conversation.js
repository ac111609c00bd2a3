'use strict';
// The rules of what the process of a sandbox may say, and when. It runs code of
// strangers, who may have taken it over: whatever it says else is a FrameError,
// and ends it.

const { codeById, Code } = require('../../protocol/diagnostics.gen.js');
const { FrameError } = require('../../wire/frames.js');
const { unpackPayload } = require('../../wire/payload-bytes.js');
const { Channel, Limit, SandboxLimit } = require('../../protocol/wire.gen.js');
const { describedError } = require('./described-error.js');
const { Kind } = require('./kinds.js');

const WORD = 4;
const MAX_DETAIL = 64;
const MAX_NAME = 1024;
const MAX_PATH = 4096;
const MAX_HELLO = 256;
const MAX_CODE = 8 * 2 ** 20;
// An error's texts, when a result may have a few bytes only.
const ERROR_BYTES = 2 ** 20;
// A text of two bytes a character counts as one byte each.
const SPREAD = 2;
const MIB = 2 ** 20;

/** The ends that a job may report of itself. */
const ENDS = new Set([
  Code.JobFailed,
  Code.JobTimeout,
  Code.JobCancelled,
  Code.Crashed,
  Code.StartupFailed,
  Code.ResourceLimit,
  Code.SerializationFailed,
  Code.UnsupportedPayload,
]);
const UNCAUGHT = [Channel.Uncaught, Channel.Rejection];

const { isInteger } = Number;
const isCount = (value) => isInteger(value) && value >= 1;
// The stream, and what was printed there.
const isOutput = (value) =>
  Array.isArray(value) &&
  value.length === 2 &&
  (value[0] === 1 || value[0] === 2) &&
  typeof value[1] === 'string';

function refuse(what) {
  throw new FrameError(what);
}

/** One job's part of the conversation. */
class JobTalk {
  #calls = 0;
  #callsUnderWay = 0;
  #lastCall = -1;
  #streamed = Limit.StreamCredits;
  #wanted = 0;
  seq;

  constructor(seq) {
    this.seq = seq;
  }

  /** The owner has answered: a call, or with room in a stream. */
  heard(channel, credits) {
    if (channel === Channel.Host && this.#callsUnderWay > 0) {
      this.#callsUnderWay -= 1;
    } else if (channel === Channel.Stream) this.#streamed += credits;
    else if (channel === Channel.Input) this.#wanted -= 1;
  }

  /** @throws {FrameError} it may not say that */
  says(channel, value) {
    if (channel === Channel.Host) this.#call(value);
    else if (channel === Channel.Stream) this.#stream();
    else if (channel === Channel.Input) this.#want(value);
  }

  #call(call) {
    const isCall =
      Array.isArray(call) &&
      call.length === 3 &&
      isInteger(call[0]) &&
      typeof call[1] === 'string' &&
      call[1].length <= MAX_NAME &&
      Array.isArray(call[2]);
    if (!isCall) refuse('a call of a host function that is none');
    // None is answered twice.
    if (call[0] <= this.#lastCall) refuse('a call a second time');
    this.#lastCall = call[0];
    this.#calls += 1;
    this.#callsUnderWay += 1;
    if (
      this.#calls > SandboxLimit.Calls ||
      this.#callsUnderWay > SandboxLimit.CallsUnderWay
    ) {
      refuse('too many calls of host functions');
    }
  }

  #stream() {
    this.#streamed -= 1;
    if (this.#streamed < 0) refuse('more of a stream than was asked for');
  }

  #want(count) {
    if (!isCount(count)) refuse('a wish for no number of values');
    this.#wanted += count;
    if (this.#wanted > Limit.StreamCredits) refuse('a wish for too much');
  }
}

/** Reads the frames of one process. */
class Conversation {
  #codec;
  #most;
  #hasGreeted = false;
  #hasBegun = false;
  #isAsked = false;
  #isLoading = false;
  #isReady = false;
  #isHeard = false;
  // Bytes of compiled code that it may still tell.
  #codeBytes = 0;
  #talk = null;

  /**
   * @param {object} codec that decodes values
   * @param {object} settings of the pool
   */
  constructor(codec, { maxResultBytes, memoryLimitMb }) {
    this.#codec = codec;
    const most = Math.min(maxResultBytes, memoryLimitMb * MIB);
    this.#most = most * SPREAD + ERROR_BYTES;
  }

  /** @returns {number} bytes of a body of that kind */
  limitOf(kind) {
    if (kind === Kind.Hello) return MAX_HELLO;
    if (kind === Kind.File) return MAX_PATH + 2 * WORD;
    if (kind === Kind.CodeMade) return this.#codeBytes;
    const isLong = [Kind.Failed, Kind.Done, Kind.Message].includes(kind);
    return isLong ? this.#most : 0;
  }

  /**
   * Its runtime's code was asked for, which is believed: nothing of anybody's has
   * come to it before it answers.
   */
  asksCode() {
    this.#codeBytes = MAX_CODE;
  }

  /** A job was sent. */
  begins(seq) {
    this.#talk = new JobTalk(seq);
  }

  /** The start was begun, or modules are to be loaded: once each. */
  starts() {
    this.#hasBegun = true;
  }

  loads() {
    this.#isLoading = true;
  }

  /** Its output has been asked for, once at least. */
  hears() {
    this.#isHeard = true;
  }

  /** The question about a file has been answered. */
  answered() {
    this.#isAsked = false;
  }

  /** A message to the job, or the worker, was sent. */
  heard(channel, credits) {
    this.#talk?.heard(channel, credits);
  }

  /**
   * @returns {object} what it says: `{ kind, … }`
   * @throws {FrameError}
   */
  read(kind, number, body) {
    if (kind === Kind.Hello) return this.#readHello(body);
    if (!this.#hasGreeted) refuse('something before its greeting');
    if (kind === Kind.CodeMade) return this.#readCode(number, body);
    this.#codeBytes = 0;
    if (kind === Kind.File) return this.#readFile(number, body);
    if (kind === Kind.Loaded) return this.#readLoaded(number);
    if (kind === Kind.Took) return { kind };
    if (kind === Kind.Ready) return this.#readReady();
    if (kind === Kind.Failed) return this.#readFailed(body);
    if (kind === Kind.Done) return this.#readDone(number, body);
    if (kind === Kind.Message) return this.#readMessage(number, body);
    return refuse('a frame of no known kind');
  }

  #readHello(body) {
    if (this.#hasGreeted) refuse('a second greeting');
    this.#hasGreeted = true;
    return { kind: Kind.Hello, body };
  }

  #readCode(number, body) {
    if (this.#codeBytes === 0) refuse('code that nobody has asked for');
    const isLast = body.length === 0;
    this.#codeBytes = isLast ? 0 : this.#codeBytes - body.length;
    return { kind: Kind.CodeMade, number, body, isLast };
  }

  #readFile(question, body) {
    if (this.#isAsked) refuse('a question before the answer to another');
    if (body.length < 2 * WORD) refuse('half a question');
    this.#isAsked = true;
    const maxBytes = body.readDoubleLE(0);
    const path = body.utf8Slice(2 * WORD);
    return { kind: Kind.File, question, maxBytes, path };
  }

  #readLoaded(isWhole) {
    if (!this.#isLoading) refuse('that modules are there which it has not');
    this.#isLoading = false;
    return { kind: Kind.Loaded, isWhole: isWhole === 1 };
  }

  #readReady() {
    if (!this.#hasBegun || this.#isReady) refuse('that it is ready, untimely');
    this.#isReady = true;
    return { kind: Kind.Ready };
  }

  #readFailed(body) {
    if (!this.#hasBegun || this.#isReady) refuse('a failed start, untimely');
    return { kind: Kind.Failed, ...this.#readEnd(body, 2) };
  }

  #readDone(seq, body) {
    if (this.#talk?.seq !== seq) refuse('the end of another job');
    const { status, detail, value } = this.#readEnd(body, 3);
    const spoilt = body.readUInt32LE(2 * WORD) === 1;
    this.#talk = null;
    return { kind: Kind.Done, seq, status, detail, value, spoilt };
  }

  // The status and its detail begin a body.
  #readEnd(body, words) {
    if (body.length < words * WORD) refuse('half an end');
    const status = body.readUInt32LE(0);
    const detail = body.readUInt32LE(WORD);
    if (detail > MAX_DETAIL) refuse('an end of no known kind');
    if (status !== 0 && !ENDS.has(codeById(status))) {
      refuse('an end that no job has');
    }
    const given = this.#value(body.subarray(words * WORD));
    return { status, detail, value: this.#valueOf(status, given) };
  }

  #valueOf(status, given) {
    if (status === 0 || given === undefined) return given;
    // The place of a refused result.
    if (typeof given === 'string') return given.slice(0, MAX_NAME);
    return describedError(given);
  }

  #readMessage(seq, body) {
    if (body.length < WORD) refuse('half a message');
    const channel = body.readUInt32LE(0);
    if (channel === Channel.Output) return this.#readOutput(seq, body);
    const isUncaught = UNCAUGHT.includes(channel);
    if (channel > Channel.InputEnd && !isUncaught) {
      refuse('a message for nobody');
    }
    const talk = this.#talk;
    const isOfJob = talk?.seq === seq;
    // An error that nobody has caught may come late; all else is a job's.
    if (!isOfJob && seq !== 0) refuse('a message of another job');
    if (seq === 0 && !isUncaught && channel !== Channel.Emit) {
      refuse('a message of no job');
    }
    const value = this.#value(body.subarray(WORD));
    if (isOfJob) talk.says(channel, value);
    return {
      kind: Kind.Message,
      seq,
      channel,
      value: isUncaught ? describedError(value) : value,
    };
  }

  #readOutput(seq, body) {
    if (!this.#isHeard || seq !== 0) refuse('output that nobody hears');
    const value = this.#value(body.subarray(WORD));
    if (!isOutput(value)) refuse('output that is none');
    return { kind: Kind.Message, seq, channel: Channel.Output, value };
  }

  #value(bytes) {
    const { kind, number, slots, text, more } = unpackPayload(bytes);
    try {
      return this.#codec.decode(kind, number, slots, 0, text, more);
    } catch {
      return refuse('a value that nobody can read');
    }
  }
}

module.exports = { Conversation };
