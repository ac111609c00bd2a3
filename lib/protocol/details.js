'use strict';

const { Code } = require('./diagnostics.gen.js');
const { Detail } = require('./wire.gen.js');

/** The texts of each Detail, by its value; '' is the code's own. */
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
  'worker start was ended: init or the module took too long, or left by itself',
  'worker operation ran for longer than runTimeoutMs',
  'the process of a sandbox cannot be locked down as it must',
]);

/** Hints that replace a code's own where that would mislead. */
const DETAIL_HINTS = Object.freeze({
  [Detail.NeverSettles]:
    'nothing in the worker is left that could settle the promise: no timer, no import, no host call; resolve it, or reject it',
  [Detail.NotCallable]:
    'the module has no function of that name among its exports: error.cause says which it has',
  [Detail.ResultTooLarge]: 'raise maxResultBytes, or return less',
  [Detail.MemoryLimit]: 'raise memoryLimitMb, or keep less data',
  [Detail.CpuLimit]: 'raise cpuLimitMs, or split the job into smaller ones',
  [Detail.MicrotaskBound]:
    'promise continuations feed each other without end; await a timer between them, or raise maxMicrotasks',
  [Detail.RunTimedOut]:
    'raise runTimeoutMs, or split the job into smaller ones',
  [Detail.SandboxUnavailable]:
    'look at error.cause: nothing has run; `npx sloppy-workers doctor` tells which layers this machine has',
});

/** Tells of a value that cannot be copied because memory is exhausted. */
const NO_MEMORY_TEXT = 'there is no memory for a copy of the value';

/** Tells of a shared value that does not fit into a worker. */
const NO_ROOM_TEXT =
  'the shared value does not fit into what is left of memoryLimitMb';

/** Code and text of the error for a refused payload, by its Refusal. */
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
  NO_MEMORY_TEXT,
  NO_ROOM_TEXT,
  PAYLOAD_REFUSALS,
};
