'use strict';

const { World, ForeignError } = require('./world.js');
const { admissions, clock, codes, errors, WorkQueue } = require('./load.js');

const { Code } = codes;

/** A WorkQueue, whose handlers do what the world says. */
class QueueWorld extends World {
  /** Promises of handlers that have not settled. */
  open = [];
  /** Handlers run here, so that their ends are known at once. */
  knowsEnds = true;
  #lastFirst = 0;
  #lastCall = 0;

  setUp() {
    const { random } = this;
    this.policy = {
      concurrency: 1 + random.below(3),
      maxQueued: 1 + random.below(4),
      overflow: random.of(['reject', 'backpressure']),
      maxBackpressureWaiters: 1 + random.below(3),
      maxQueuedBytes: random.of([60, 100_000]),
      retry: {
        maxAttempts: random.of([1, 1, 2, 3]),
        backoffMs: random.of([0, 5, (...args) => this.#backoff(...args)]),
      },
      metrics: random.chance(30),
    };
    admissions.length = 0;
    this.handle = WorkQueue.create('queue', this.policy);
    [this.admission] = admissions;
    this.handle.process((job, context) => this.#handler(job, context));
    const { concurrency, maxQueued, overflow, retry } = this.policy;
    this.note(
      `a queue: concurrency ${concurrency}, maxQueued ${maxQueued}, ${overflow}, ` +
        `attempts ${retry.maxAttempts}`,
    );
  }

  optionsFor(call, options) {
    const { random } = this;
    const pad = 'x'.repeat(random.of([0, 0, 10, 40]));
    call.pad = pad.length;
    const world = this;
    call.input = random.chance(20)
      ? {
          n: call.n,
          get pad() {
            world.foreign('a getter of the data', true);
            return pad;
          },
        }
      : { n: call.n, pad };
    if (random.chance(10)) {
      const { timeoutMs } = options;
      Object.defineProperty(options, 'timeoutMs', {
        enumerable: true,
        get: () => {
          this.foreign('a getter of the options', true);
          return timeoutMs;
        },
      });
    }
  }

  callOf(call, options) {
    return this.handle.enqueue(call.input, options);
  }

  mayBeFull(call) {
    return this.policy.maxQueuedBytes < 1000 && call.pad >= 0;
  }

  #backoff(attempt) {
    this.foreign('backoff', true);
    return attempt % 2 === 0 ? 0 : 4;
  }

  #handler({ id, data, attempt }, { signal }) {
    const call = this.calls[data.n - 1];
    this.note(`handler of ${call.n}, attempt ${attempt}`);
    call.runs += 1;
    call.startedAt = call.lastStart = clock.at;
    if (call.outcome !== null)
      this.problem(`call ${call.n} runs after its end`);
    if (call.runs !== attempt)
      this.problem(`call ${call.n}: attempt ${attempt}`);
    if (attempt > this.policy.retry.maxAttempts)
      this.problem('a retry too many');
    if (attempt === 1) {
      if (id <= this.#lastFirst) this.problem(`job ${id} starts too late`);
      this.#lastFirst = id;
      this.#checkOrder(call);
    }
    if (this.handle.state.active > this.policy.concurrency) {
      this.problem('too many handlers run');
    }
    const { random } = this;
    if (random.chance(25)) {
      signal.addEventListener('abort', () =>
        this.foreign('a job signal', true),
      );
    }
    this.foreign('the handler');
    // Its caller may have given up inside.
    const end = { call, attempt };
    if (random.chance(25)) {
      this.#fail(end);
      call.endRun();
      throw end.error;
    }
    if (random.chance(30)) return this.#succeed(end);
    const promise = new Promise((resolve, reject) => {
      Object.assign(end, { resolve, reject });
    });
    this.open.push(end);
    return promise;
  }

  // Nobody overtakes those that came before, unless foreign code has called
  // inside a call.
  #checkOrder({ n, wasEntered }) {
    if (wasEntered) return;
    if (n < this.#lastCall) this.problem(`call ${n} is overtaken`);
    this.#lastCall = n;
  }

  #succeed(end) {
    end.call.endRun();
    end.call.value ??= { result: end.call.n };
    return end.call.value;
  }

  #fail(end) {
    const { call, attempt } = end;
    const { maxAttempts } = this.policy.retry;
    const code = this.random.of([undefined, undefined, Code.JobCancelled]);
    end.error =
      code === undefined ? new Error('failed') : errors.workerError(code);
    call.endRun();
    if (code !== undefined) call.codes.add(code);
    // A backoff function may throw.
    else if (attempt < maxAttempts) call.codes.add(Code.JobFailed);
    else call.codes.add(maxAttempts > 1 ? Code.RetryExhausted : Code.JobFailed);
  }

  #settle() {
    const at = this.random.below(this.open.length);
    const [end] = this.open.splice(at, 1);
    const isGood = this.random.chance(60);
    this.note(
      `the handler of ${end.call.n} ${isGood ? 'resolves' : 'rejects'}`,
    );
    if (isGood) {
      // Its run may be over only with it.
      end.resolve(this.#succeed(end));
    } else {
      this.#fail(end);
      end.reject(end.error);
    }
  }

  actions() {
    if (this.open.length === 0) return [];
    return [[25, () => this.#settle()]];
  }

  held() {
    return this.admission.executor.jobs().length;
  }

  checkMore() {
    const { concurrency } = this.policy;
    const jobs = Array.from(this.admission.executor.jobs());
    const running = jobs.filter(({ hasStarted }) => hasStarted).length;
    if (running > concurrency) this.problem(`${running} handlers run`);
    if (running < concurrency && running < jobs.length) {
      this.problem('a job waits beside a free handler');
    }
  }

  release() {}

  finishOne() {
    if (this.open.length === 0) return false;
    this.#settle();
    return true;
  }

  isGone() {
    // Handlers whose callers have given up go on.
    while (this.open.length > 0) this.#settle();
    return true;
  }

  checkGone() {
    if (this.held() !== 0) this.problem('the queue keeps a job');
  }
}

module.exports = { ForeignError, QueueWorld };
