'use strict';

const { Code } = require('./diagnostics.gen.js');

/** The texts of job/job.h's Detail, by its values; '' is the code's own. */
const DETAIL_TEXTS = Object.freeze([
  '',
  'worker promise can never settle',
  'worker export is not callable',
  'worker function failed to compile',
  'worker result serialization failed',
  'worker result is larger than maxResultBytes',
  'worker memory limit exceeded',
  'worker CPU time limit exceeded',
  'worker microtask drain exceeded its bound',
  'worker was lost',
  'worker init was ended: it took too long, or left by itself',
]);

/** Where the code's own hint would mislead. */
const DETAIL_HINTS = Object.freeze({
  1: 'nothing in the worker is left that could settle the promise: no timer, no import, no host call; resolve it, or reject it',
  2: 'the module has no function of that name among its exports',
  8: 'promise continuations feed each other without end; await a timer between them, or raise maxMicrotasks',
});

/** Decided in C++, and looked for here. */
const NEVER_SETTLES = 1;

/** Decided in C++, and on this side when a thread is given up. */
const WORKER_LOST = 9;

/** Of a value that nothing can be copied into. */
const NO_MEMORY_TEXT = 'there is no memory for a copy of the value';

/** The details that src/runtime/bootstrap.js reports by itself. */
const Detail = Object.freeze({
  none: 0,
  notCallable: 2,
  compileFailed: 3,
  resultUnsupported: 4,
  resultTooLarge: 5,
  memoryLimit: 6,
});

/** What a payload that the codec refuses is answered with, by its Refusal. */
const PAYLOAD_REFUSALS = Object.freeze([
  undefined,
  { code: Code.UnsupportedPayload, text: 'worker payload type is unsupported' },
  { code: Code.UnsupportedPayload, text: 'worker payload is not serializable' },
  { code: Code.SerializationFailed, text: 'worker payload contains a cycle' },
  {
    code: Code.SerializationFailed,
    text: 'worker payload could not be read',
  },
  {
    code: Code.ResourceLimit,
    text: 'worker payload is larger than maxPayloadBytes',
  },
]);

module.exports = {
  DETAIL_HINTS,
  DETAIL_TEXTS,
  Detail,
  NEVER_SETTLES,
  NO_MEMORY_TEXT,
  WORKER_LOST,
  PAYLOAD_REFUSALS,
};
