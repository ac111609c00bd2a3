'use strict';

const { World } = require('./world.js');
const { admissions, clock, codes, WorkerPool } = require('./load.js');

const { Code } = codes;

const FUNCTIONS = [
  ({ input }) => input,
  function named(context) {
    return context.input;
  },
  async ({ input, emit }) => emit(input),
];

/** The common parts of a WorkerPool on isolates and on threads. */
class PoolWorld extends World {
  /** The pool's host functions, where its jobs may call some. */
  host = undefined;
  /** How often each event of the pool was told, by name. */
  told = { drain: 0, idle: 0 };
  isPaused = false;
  mayBeOver = false;
  #idleAt = 0;
  #wasBusy = false;
  #neededDrain = false;
  #drains = 0;

  create(runtime) {
    const { random } = this;
    const concurrency = 1 + random.below(3);
    this.policy = {
      runtime,
      workers: concurrency,
      maxQueued: 1 + random.below(4),
      overflow: random.of(['reject', 'backpressure']),
      maxBackpressureWaiters: 1 + random.below(3),
      maxQueuedBytes: random.of([200, 100_000]),
      maxPerKey: 1 + random.below(2),
      maxQueuedPerKey: random.of([1, 2, Infinity]),
      cancelGraceMs: random.of([0, 0, 20]),
      affinity: random.chance(30),
      metrics: random.chance(20),
      minWorkers: random.chance(20) ? 1 : 0,
      idleTimeoutMs: random.of([Infinity, Infinity, 30]),
    };
    if (random.chance(15)) this.policy.agingMs = 50;
    if (runtime === 'thread' && random.chance(40)) {
      this.policy.concurrentJobsPerWorker = 2 + random.below(2);
    }
    if (this.host !== undefined) this.policy.host = this.host;
    if (random.chance(20)) {
      this.policy.onQueueDrain = () => this.foreign('onQueueDrain', true);
    }
    admissions.length = 0;
    this.handle = WorkerPool.create('pool', this.policy);
    [this.admission] = admissions;
    if (random.chance(60)) this.#listen();
    this.keyed = random.chance(50);
    this.note(
      `a pool (${runtime}): workers ${concurrency}, ` +
        `maxQueued ${this.policy.maxQueued}, ${this.policy.overflow}`,
    );
  }

  #listen() {
    const { handle, admission } = this;
    this.isListening = true;
    handle.on('idle', () => {
      this.note('event idle');
      this.told.idle += 1;
      if (admission.inFlight > 0) this.problem('told idle, and a job is left');
      if (admission.stats.enqueued === this.#idleAt) {
        this.problem('told idle twice');
      }
      this.#idleAt = admission.stats.enqueued;
      this.foreign('idle', true);
    });
    handle.on('drain', () => {
      this.note('event drain');
      this.told.drain += 1;
      if (admission.needsDrain) this.problem('told drain without room');
      this.foreign('drain', true);
    });
    handle.on('workerStarted', () => this.foreign('workerStarted', true));
    handle.on('workerExit', () => this.foreign('workerExit', true));
    if (this.random.chance(30)) {
      handle.on('job', (receipt) => {
        this.receipts = (this.receipts ?? 0) + 1;
        if (typeof receipt.outcome !== 'string') this.problem('a bad receipt');
        this.foreign('job', true);
      });
    }
  }

  optionsFor(call, options) {
    const { random } = this;
    if (this.keyed && random.chance(70)) {
      call.key = options.key = random.of(['a', 'b', 'c']);
      if (random.chance(20)) options.weight = random.of([1, 3]);
    }
    if (random.chance(20)) options.priority = random.below(8);
    if (random.chance(20)) {
      options.onMessage = (value) => {
        this.note(`message ${value} of ${call.n}`);
        if (call.outcome !== null) this.problem('a message after the end');
        call.heard += 1;
        if (value !== `m${call.n}:${call.heard}`) {
          this.problem(`call ${call.n} hears ${value}`);
        }
        this.foreign('onMessage', true);
      };
      call.hears = true;
    }
    if (random.chance(20)) {
      call.wantsReceipt = true;
      options.receipt = (receipt) => {
        call.receipts.push(receipt);
        this.#checkReceipt(call, receipt);
        this.foreign('receipt', true);
      };
    }
    options.input = this.#inputFor(call);
  }

  #checkReceipt(call, receipt) {
    const { n, outcome } = call;
    if (receipt.key !== (call.key ?? null)) {
      this.problem(`the receipt of call ${n} has another key`);
    }
    const { queueMs, runMs } = receipt;
    if (!(queueMs >= 0 && runMs >= 0)) {
      this.problem(`the receipt of call ${n} says ${queueMs} and ${runMs} ms`);
    }
    if (outcome === null) return;
    const isGood = receipt.outcome === 'completed';
    if (isGood !== 'value' in outcome) {
      this.problem(`the receipt of call ${n} says ${receipt.outcome}`);
    }
    if (!isGood && receipt.code !== outcome.error?.code) {
      this.problem(`the receipt of call ${n} says ${receipt.code}`);
    }
  }

  #inputFor(call) {
    const { random } = this;
    const { n } = call;
    const text = `${n}:${'x'.repeat(random.of([0, 20, 60]))}`;
    const kind = random.below(5);
    if (kind < 2) return n;
    if (kind === 2) return text;
    if (kind === 3) return [n, text];
    const world = this;
    return {
      n,
      get text() {
        world.foreign('a getter of the input', true);
        return text;
      },
    };
  }

  callOf(_call, options) {
    return this.handle.run(this.random.of(FUNCTIONS), options);
  }

  mayBeFull(call) {
    return call.key !== undefined || this.policy.maxQueuedBytes < 1000;
  }

  // --- steps ----------------------------------------------------------------

  resize() {
    const workers = 1 + this.random.below(4);
    this.note(`resize to ${workers}`);
    this.mayBeOver = true;
    this.handle.resize(workers);
  }

  pause() {
    if (this.isEnding) return;
    this.isPaused = !this.isPaused;
    this.note(this.isPaused ? 'pause' : 'resume');
    if (this.isPaused) this.handle.pause();
    else this.handle.resume();
  }

  release() {
    this.isPaused = false;
    this.handle.resume();
  }

  refs() {
    const isRef = this.random.chance(50);
    this.note(isRef ? 'ref' : 'unref');
    if (isRef) this.handle.ref();
    else this.handle.unref();
  }

  checkMore() {
    const { admission, told } = this;
    if (this.isListening) {
      const isIdle = admission.inFlight === 0;
      if (isIdle && this.#wasBusy && told.idle === this.idles) {
        this.problem('idle was not told');
      }
      if (isIdle) this.idles = told.idle;
      this.#wasBusy = !isIdle;
      const { needsDrain } = admission;
      if (!needsDrain && this.#neededDrain && told.drain === this.#drains) {
        this.problem('drain was not told');
      }
      if (!needsDrain) this.#drains = told.drain;
      this.#neededDrain = needsDrain;
    }
    this.#checkKeys();
  }

  #checkKeys() {
    const running = new Map();
    for (const { key } of this.runningCalls()) {
      if (key === undefined) continue;
      running.set(key, (running.get(key) ?? 0) + 1);
      if (running.get(key) > this.policy.maxPerKey) {
        this.problem(`too many jobs of key ${key} run`);
      }
    }
  }

  idles = 0;
}

module.exports = { Code, PoolWorld, clock };
