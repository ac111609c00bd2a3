'use strict';

const path = require('node:path');
const { MessageChannel, Worker } = require('node:worker_threads');

const { areThreadsDebugged } = require('../../base/debugger.js');
const { limitsNow } = require('../../base/limits-clock.js');
const { Code, DIAGNOSTICS } = require('../../protocol/diagnostics.gen.js');
const {
  OUT_OF_MEMORY,
  guardFile,
  outOfMemory,
  resourceLimits,
} = require('./heap-limit.js');
const { startTimer, stopTimer } = require('../../base/primordials.js');
const { contentOf } = require('./plain-codec.js');
const { initDataOf } = require('./init-data.js');
const { Channel, Detail } = require('../../protocol/wire.gen.js');

const hrtime = process.hrtime.bigint;
const MAIN = path.join(__dirname, 'thread-main.js');
const MAX_DELAY_MS = 2 ** 31 - 1;

// Maximum number of entries in a thread, and maximum length of their texts
// together for each megabyte of its memory limit, because a compiled text takes
// several times its length.
const MAX_KEPT = 512;
const KEPT_PER_MB = 32 * 1024;

const idOf = (code) => DIAGNOSTICS[code].id;

/** One of Node's worker threads, and the one job that runs in it. */
class PoolThread {
  job = null;
  jobsDone = 0;
  /** The thread has been asked to end and gets no other job. */
  leaving = false;
  #worker;
  #owner;
  // A port of its own, read when the job's code requests its reason.
  #reasons;
  // [reason for ending the job, 1 if the heap's limit was reached, state of
  // init: 1 running, 2 succeeded].
  #flags = new Int32Array(new SharedArrayBuffer(12));
  // Lengths of the texts that the thread keeps, by entry, the least recently
  // used first.
  #known = new Map();
  #knownLength = 0;
  #maxLength;
  #seq = 0;
  #killTimer;
  #initTimer;
  #cause;
  #online = false;
  #hasInit;
  #carry;
  #initBeganAt = 0n;

  /**
   * @param {object} owner `settled(thread, job, status, detail, value)`,
   *   `began(job, sinceMs)` of one with a limit of its run,
   *   `failWaiting(status, detail, value, at)` jobs that came before then,
   *   `tookShared()`, `message(job, channel, value, number)`, `workerStarted()`,
   *   `exited(thread)`
   * @param {number} number of this thread in its pool
   * @param {object} options of the realm
   * @param {object} settings of the pool
   */
  constructor(owner, number, options, settings) {
    const { memoryLimitMb, init, threadOptions } = settings;
    this.#owner = owner;
    this.number = number;
    this.#maxLength = memoryLimitMb * KEPT_PER_MB;
    this.#hasInit = init !== undefined;
    this.#carry = settings.carry;
    const { port1, port2 } = new MessageChannel();
    this.#reasons = port1;
    port1.unref();
    this.#worker = new Worker(MAIN, {
      ...threadOptions,
      workerData: {
        options,
        initData: init && initDataOf(settings),
        flags: this.#flags,
        reasons: port2,
        guard: guardFile(),
      },
      transferList: [port2],
      resourceLimits: {
        ...resourceLimits(memoryLimitMb),
        ...threadOptions?.resourceLimits,
      },
    });
    this.#worker.on('online', () => {
      this.#online = true;
      owner.workerStarted();
    });
    this.#worker.on('message', (data) => this.#receive(data));
    this.#worker.on('error', (error) => {
      this.#cause = error;
    });
    this.#worker.on('exit', (code) => this.#exited(code));
    // Last, because a listener for messages is a `ref`.
    this.#worker.unref();
  }

  /**
   * @param {PoolJob} job
   * @param {object} entry `{ id, kind, text, name }`
   * @param {number} remainingMs Infinity without a deadline
   * @param {number} runMs how long it may take, Infinity for no limit
   * @param {object} [shared] from SharedParts
   */
  run(job, entry, remainingMs, runMs, shared) {
    this.job = job;
    this.#seq += 1;
    Atomics.store(this.#flags, 0, 0);
    const { id } = entry;
    const known = this.#known.has(id);
    const forget = this.#remember(entry);
    const { value, buffers } = job.sent;
    job.sent = null;
    this.#worker.postMessage(
      {
        seq: this.#seq,
        id,
        entry: known ? undefined : entry,
        forget,
        input: value,
        remainingMs,
        runMs,
        mode: job.mode,
        shared,
      },
      buffers,
    );
  }

  // Drops the least recently used entries, because compiled texts count against
  // the thread's memory limit.
  #remember({ id, text }) {
    const forget = [];
    this.#knownLength += text.length - (this.#known.get(id) ?? 0);
    this.#known.delete(id);
    this.#known.set(id, text.length);
    for (const [oldest, length] of this.#known) {
      const fits =
        this.#knownLength <= this.#maxLength && this.#known.size <= MAX_KEPT;
      if (fits || oldest === id) break;
      this.#known.delete(oldest);
      this.#knownLength -= length;
      forget.push(oldest);
    }
    return forget;
  }

  /** Whether it may take a job now. */
  get isFree() {
    return this.job === null && !this.leaving;
  }

  /** Notifies the running job; ends the thread if it goes on for too long. */
  cancel(why, graceMs) {
    Atomics.store(this.#flags, 0, why);
    if (graceMs === 0) {
      this.kill();
      return;
    }
    this.#worker.postMessage({ cancel: this.#seq });
    this.#killTimer = setTimeout(() => this.kill(), graceMs);
    // The job itself keeps the process alive, or nothing does.
    this.#killTimer.unref();
  }

  mail(toJob, channel, value) {
    if (channel === Channel.Reason) {
      this.#reasons.postMessage({ seq: this.#seq, value });
      return;
    }
    this.#worker.postMessage({ mail: toJob ? this.#seq : 0, channel, value });
  }

  listen(listens) {
    this.#worker.postMessage({ listens });
  }

  /** Disposes of the thread's modules, then ends it. */
  leave() {
    if (this.leaving) return;
    this.leaving = true;
    this.#worker.postMessage({ leave: true });
  }

  kill() {
    // The thread may answer until then, but gets no other job.
    this.leaving = true;
    this.#worker.terminate();
  }

  hold(yes) {
    if (yes) this.#worker.ref();
    else this.#worker.unref();
  }

  #initBegins(timeoutMs) {
    const expiresAt = limitsNow() + timeoutMs;
    const end = () => {
      if (!this.#isInInit()) return;
      const left = areThreadsDebugged() ? timeoutMs : expiresAt - limitsNow();
      if (left > 0) this.#initBegins(left);
      else this.kill();
    };
    this.#initTimer = startTimer(end, Math.min(timeoutMs, MAX_DELAY_MS));
    this.#initTimer.unref();
  }

  /** Whether the thread cannot run a job yet, or no more. */
  isRenewing() {
    if (this.leaving) return true;
    if (this.job === null) return false;
    const isPrepared = !this.#hasInit || Atomics.load(this.#flags, 2) === 2;
    return !this.#online || !isPrepared;
  }

  #isInInit() {
    return Atomics.load(this.#flags, 2) === 1;
  }

  #receive(data) {
    if (data.init !== undefined) {
      this.#initBeganAt = data.at;
      this.#initBegins(data.init);
      return;
    }
    if (data.began !== undefined) {
      this.#began(data);
      return;
    }
    if (data.tookShared) {
      this.#owner.tookShared();
      return;
    }
    if (data.done === undefined) {
      // The message's job may be over on this side.
      if (data.seq !== 0 && data.seq !== this.#seq) return;
      const job = data.seq === 0 ? null : this.job;
      if (data.seq === 0 || job !== null) {
        const content = contentOf(data, this.#carry);
        this.#owner.message(job, data.channel, content, this.number);
      }
      return;
    }
    if (data.done !== this.#seq || this.job === null) return;
    const { job } = this;
    this.job = null;
    this.jobsDone += 1;
    clearTimeout(this.#killTimer);
    const { status, detail, failed } = data;
    const value = contentOf(data, this.#carry);
    // A module that has failed would always fail in this thread.
    if (failed !== null) this.leave();
    this.#owner.settled(this, job, status, detail, value);
    if (failed?.inInit)
      this.#owner.failWaiting(status, detail, value, failed.at);
  }

  // Its own clock counts, because this thread may have been busy.
  #began({ began, at }) {
    if (began !== this.#seq || this.job === null) return;
    this.#owner.began(this.job, Number(hrtime() - at) / 1e6);
  }

  #exited(code) {
    clearTimeout(this.#killTimer);
    stopTimer(this.#initTimer);
    const { job } = this;
    this.job = null;
    this.#owner.exited(this);
    if (job === null) return;
    if (Atomics.load(this.#flags, 1) === 1) this.#cause = outOfMemory();
    const inInit = this.#isInInit();
    const overLimit = this.#cause?.code === OUT_OF_MEMORY;
    if (inInit || overLimit) {
      const status = idOf(inInit ? Code.StartupFailed : Code.ResourceLimit);
      const detail = overLimit ? Detail.MemoryLimit : Detail.InitEnded;
      this.#owner.settled(null, job, status, detail, undefined);
      // The time of its end is unknown: fails the jobs that waited all the
      // time.
      if (inInit) {
        this.#owner.failWaiting(status, detail, undefined, this.#initBeganAt);
      }
      return;
    }
    const cause =
      this.#cause ?? new Error(`process.exit(${code}) was called in a worker`);
    const { name, message, stack } = cause;
    const described = { type: 'Error', name, message, stack };
    this.#owner.settled(null, job, idOf(Code.Crashed), Detail.None, described);
  }
}

module.exports = { PoolThread };
