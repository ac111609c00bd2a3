'use strict';

/** Numbers that BullMQ gives to the errors of its stores. */
const Code = Object.freeze({
  Missing: -1,
  LockMissing: -2,
  NotInState: -3,
  PendingChildren: -4,
  ParentMissing: -5,
  LockMismatch: -6,
  ParentReplaced: -7,
  OfScheduler: -8,
  FailedChildren: -9,
  SchedulerCollision: -10,
  SchedulerSlotsBusy: -11,
});

const TEXTS = {
  [Code.Missing]: ({ jobId, command }) =>
    `Missing key for job ${jobId}. ${command}`,
  [Code.LockMissing]: ({ jobId, command }) =>
    `Missing lock for job ${jobId}. ${command}`,
  [Code.NotInState]: ({ jobId, command, state }) =>
    `Job ${jobId} is not in the ${state} state. ${command}`,
  [Code.PendingChildren]: ({ jobId, command }) =>
    `Job ${jobId} has pending dependencies. ${command}`,
  [Code.ParentMissing]: ({ parentKey, command }) =>
    `Missing key for parent job ${parentKey}. ${command}`,
  [Code.LockMismatch]: ({ jobId, command, state }) =>
    `Lock mismatch for job ${jobId}. Cmd ${command} from ${state}`,
  [Code.ParentReplaced]: ({ parentKey, command }) =>
    `The parent job ${parentKey} cannot be replaced. ${command}`,
  [Code.OfScheduler]: ({ jobId, command }) =>
    `Job ${jobId} belongs to a job scheduler and cannot be removed directly. ${command}`,
  [Code.FailedChildren]: ({ jobId, command }) =>
    `Cannot complete job ${jobId} because it has at least one failed child. ${command}`,
  [Code.SchedulerCollision]: ({ command }) =>
    `Cannot create job scheduler iteration - job ID already exists. ${command}`,
  [Code.SchedulerSlotsBusy]: ({ command }) =>
    `Cannot create job scheduler iteration - current and next time slots already have jobs. ${command}`,
};

/** Thrown by an operation; the backend makes BullMQ's error of it. */
class Refusal extends Error {
  constructor(code) {
    super(`refused: ${code}`);
    this.code = code;
  }
}

function refuse(code) {
  throw new Refusal(code);
}

/**
 * The error that BullMQ's classes expect, with `code` and BullMQ's text.
 *
 * @param {Refusal} refusal
 * @param {{ command: string, jobId?: string, parentKey?: string,
 *   state?: string }} about
 * @returns {Error}
 */
function errorOf({ code }, about) {
  const error = new Error(TEXTS[code](about));
  // A job whose child failed must not be tried again; BullMQ looks at the name.
  if (code === Code.FailedChildren) error.name = 'UnrecoverableError';
  return Object.assign(error, { code });
}

module.exports = { Code, Refusal, errorOf, refuse };
