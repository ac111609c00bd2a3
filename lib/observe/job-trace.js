'use strict';

const { AsyncResource } = require('node:async_hooks');

const { Outcome } = require('../errors/outcome.js');
const { JobEvent, publish } = require('./events.js');
const { freeze, now } = require('../base/primordials.js');
const { JobMode, Times } = require('../protocol/wire.gen.js');

const OUTCOMES = freeze({
  [Outcome.Completed]: 'completed',
  [Outcome.Failed]: 'failed',
  [Outcome.Exhausted]: 'failed',
  [Outcome.Cancelled]: 'cancelled',
  [Outcome.TimedOut]: 'timedOut',
});

const known = (value) => (value >= 0 ? value : undefined);

let lastJob = 0;

/**
 * Reports every state of one job to subscribers and a tracer, in the async
 * context of the job's caller, and to the meter.
 */
class JobTrace {
  #watch;
  #meter;
  #span;
  #entry;
  #number;
  #context = new AsyncResource('SloppyWorkersTrace');
  #wasSubmitted = false;
  #isSettled = false;
  #payloadBytes = 0;
  #times = {};

  /**
   * @param {Watch} watch
   * @param {string} entry name of the job's entry, '' if it has none
   * @param {object | null} span of a tracer, see tracing.js
   */
  constructor(watch, entry, span) {
    this.#watch = watch;
    this.#meter = watch.meter;
    this.#span = span;
    this.#entry = entry;
    lastJob += 1;
    this.#number = lastJob;
  }

  /** Bits of the job's mode. */
  get bits() {
    return JobEvent.started.hasSubscribers
      ? JobMode.Timed | JobMode.Announced
      : JobMode.Timed;
  }

  waiting(job) {
    if (this.#meter !== null) this.#meter.waiting(job);
    else job.waitedMs = -now();
    this.#submitted(job);
    this.#report('waiting');
  }

  queued(job) {
    if (this.#meter !== null) this.#meter.queued(job);
    else if (job.waitedMs < 0) job.waitedMs += now();
    this.#submitted(job);
    this.#report('queued');
  }

  /** @param {number} queueMs since it was queued */
  started(job, queueMs) {
    // The job was cancelled before this report arrived.
    if (this.#isSettled) return;
    this.#report('started', () => ({ queueMs: queueMs + job.waitedMs }));
  }

  retried(job) {
    this.#report('retried', () => ({ attempt: job.attempt + 1 }));
  }

  ended(job, times, at) {
    this.#meter?.ended(job, times, at);
    this.#times = {
      queueMs: times[at + Times.Queued] + job.waitedMs,
      runMs: times[at + Times.Run],
      cpuMs: known(times[at + Times.Cpu]),
      resultBytes: known(times[at + Times.ResultBytes]),
    };
  }

  /** @param {string | undefined} code of the failure */
  settled(outcome, code) {
    this.#isSettled = true;
    const facts = {
      outcome: OUTCOMES[outcome],
      code,
      payloadBytes: this.#payloadBytes,
      ...this.#times,
    };
    this.#endSpan(facts);
    this.#report('settled', () => facts);
  }

  /** Its thread was given up, with whatever it has cost. */
  lost() {}

  /**
   * The job waited for a place and was refused by a stop. @param {string} code
   */
  refused(code) {
    this.#endSpan({ outcome: 'refused', code });
    this.#report('refused', () => ({ code }));
  }

  // The job's place must be freed even if a tracer throws.
  #endSpan(facts) {
    try {
      this.#span?.end(facts);
    } catch {}
  }

  #submitted(job) {
    if (this.#wasSubmitted) return;
    this.#wasSubmitted = true;
    this.#payloadBytes = job.bytes;
    this.#report('submitted', () => ({
      entry: this.#entry,
      payloadBytes: job.bytes,
      priority: job.priority,
    }));
  }

  #report(state, more) {
    const to = JobEvent[state];
    if (!to.hasSubscribers) return;
    const { kind, name } = this.#watch;
    this.#context.runInAsyncScope(publish, undefined, to, () => ({
      kind,
      name,
      job: this.#number,
      at: now(),
      ...more?.(),
    }));
  }
}

module.exports = { JobTrace, OUTCOMES };
