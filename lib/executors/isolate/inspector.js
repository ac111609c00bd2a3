'use strict';
// CPU profiles, heap snapshots and figures of the workers of a pool.

const { parse, format, resolve } = require('node:path');
const { fileURLToPath } = require('node:url');

const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Code } = require('../../protocol/diagnostics.gen.js');
const { schedule } = require('../../timers/timer-heap.js');
const { refuseMistaken } = require('../../options/mistaken-options.js');
const { PROFILE, SNAPSHOT } = require('../../options/option-sets.js');
const { isPlainObject, ownOptions } = require('../../base/validate.js');
const {
  OwnMap,
  OwnPromise,
  OwnSet,
  freeze,
  includes,
  now,
} = require('../../base/primordials.js');
const { InspectionKind } = require('../../protocol/wire.gen.js');

const MIB = 1024 * 1024;
// Milliseconds without progress after which a write is given up, once the pool
// is gone.
const STALLED_MS = 2000;

// The addon's number of the last request, for all pools.
let lastId = 0;

const workerIds = (worker, { place, threadId, pid }) => ({
  worker,
  place,
  threadId,
  pid,
});

const codeCounts = ([hits, misses, refused]) =>
  freeze({ hits, misses, refused });

function readOptions(operation, given, known) {
  const bag = ownOptions(given);
  if (!isPlainObject(bag)) {
    throw new TypeError(`${operation} options must be a plain object.`);
  }
  refuseMistaken(operation, bag, known.names);
  const { path } = bag;
  const text = path instanceof URL ? path.href : path;
  if (typeof text !== 'string' || text === '' || text.includes('\0')) {
    throw new TypeError(`${operation} path must be a path or a file: URL.`);
  }
  return {
    path: text.startsWith('file:') ? fileURLToPath(text) : resolve(text),
    durationMs: bag.durationMs,
  };
}

/** One worker writes to the path itself, several to numbered paths. */
function pathOf(path, worker, count) {
  if (count === 1) return path;
  const { dir, name, ext } = parse(path);
  return format({ dir, name: `${name}.${worker}`, ext });
}

/** REQUIRES: the executor calls `answered` and `workersChanged`. */
class Inspector {
  #host;
  #pool;
  #memoryLimitMb;
  #identityOf;
  #waiting = new OwnMap();
  #pauses = new OwnMap();
  // Writes under way: { progress, isStalled, timer }.
  #writes = new OwnSet();
  #isStopped = false;

  /**
   * @param {object} host the NativeHost
   * @param {number} pool its id in the addon
   * @param {number} memoryLimitMb
   * @param {(number: number) => object | undefined} identity of a worker
   */
  constructor(host, pool, memoryLimitMb, identity) {
    this.#host = host;
    this.#pool = pool;
    this.#memoryLimitMb = memoryLimitMb;
    this.#identityOf = identity;
  }

  /** See WorkerPool.cpuProfile. */
  async cpuProfile(operation, options) {
    const { path, durationMs } = readOptions(operation, options, PROFILE);
    const ms = PROFILE.read(operation, { durationMs }, 'durationMs');
    const started = await this.#askAll(InspectionKind.StartProfile);
    const running = started.filter(({ ok }) => ok).map(({ worker }) => worker);
    if (running.length === 0) throw workerError(Code.PoolUnavailable);
    await this.#pause(ms, running);
    try {
      return await this.#write(InspectionKind.StopProfile, path, running);
    } catch (error) {
      // The profiles must end even if a file could not be written.
      await this.#askAll(InspectionKind.StopProfile, running);
      throw error;
    }
  }

  /** See WorkerPool.heapSnapshot. */
  async heapSnapshot(operation, options) {
    const { path } = readOptions(operation, options, SNAPSHOT);
    return this.#write(InspectionKind.Snapshot, path, this.#workers());
  }

  /** See WorkerPool.stats. */
  async stats() {
    const { native } = this.#host;
    const workers = native.workerNumbers(this.#pool);
    const rows = await this.#askAll(InspectionKind.Figures, workers);
    return freeze(
      rows
        .filter(({ ok }) => ok)
        .map(({ worker }) => [worker, native.figures(this.#pool, worker)])
        .filter(([, figures]) => figures !== undefined)
        .map(([worker, [heapUsed, heapTotal, external, cpu, ...code]]) =>
          freeze({
            ...workerIds(worker, this.#identityOf(worker)),
            heapUsedBytes: heapUsed,
            heapTotalBytes: heapTotal,
            externalBytes: external,
            memoryLimitBytes: this.#memoryLimitMb * MIB,
            cpuMs: cpu / 1e6,
            codeCache: codeCounts(code),
          }),
        ),
    );
  }

  /** A worker has answered a request; negative if it failed. */
  answered(number) {
    this.#settle(Math.abs(number), number > 0);
  }

  /** Workers that are gone will not answer. */
  workersChanged() {
    if (this.#waiting.size === 0 && this.#pauses.size === 0) return;
    const living = this.#host.native.workerNumbers(this.#pool);
    const isGone = (worker) => !includes(living, worker);
    this.#waiting.forEach(({ worker }, id) => {
      if (isGone(worker)) this.#settle(id, false);
    });
    this.#pauses.forEach(({ workers, end }) => {
      if (workers.every(isGone)) end();
    });
  }

  // Starts a worker if there is none, because the caller wants to see one.
  #workers() {
    const { native } = this.#host;
    const workers = native.workerNumbers(this.#pool);
    if (workers.length > 0) return workers;
    native.prestart(this.#pool, 1);
    return native.workerNumbers(this.#pool);
  }

  /** @returns {Promise<{ worker, id, ok }[]>} */
  #askAll(kind, workers = this.#workers(), wantsText = false) {
    return OwnPromise.all(
      workers.map((worker) => this.#ask(worker, kind, wantsText)),
    );
  }

  #ask(worker, kind, wantsText) {
    const id = ++lastId;
    return new OwnPromise((resolve) => {
      const settle = (ok) => resolve({ worker, id, ok });
      this.#waiting.set(id, { worker, settle });
      this.#host.ref();
      this.#host.native.inspect(this.#pool, worker, kind, id, wantsText);
      this.workersChanged();
    });
  }

  /** Resolves when the time is over, or when the last worker is gone. */
  #pause(ms, workers) {
    const id = ++lastId;
    return new OwnPromise((resolve) => {
      const end = () => {
        this.#pauses.delete(id);
        timer.cancel();
        resolve();
      };
      const timer = schedule(now() + ms, end);
      this.#pauses.set(id, { workers, end });
      this.workersChanged();
    });
  }

  #settle(id, ok) {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#host.unref();
    waiting.settle(ok);
  }

  async #write(kind, path, workers) {
    const paths = workers.map((worker) => pathOf(path, worker, workers.length));
    const files = await openAll(paths);
    const rows = await this.#askAll(kind, workers, true);
    const ends = await OwnPromise.all(
      rows.map(({ id, ok }, i) => this.#writeOne(files[i], id, ok)),
    );
    for (const { error } of ends) {
      if (error !== undefined) throw notWritten(error);
    }
    const written = paths.filter((_, i) => rows[i].ok);
    if (written.length === 0) throw workerError(Code.PoolUnavailable);
    return written;
  }

  /** @returns {Promise<{ error?: unknown }>} the file system's error */
  async #writeOne(file, id, ok) {
    const { native } = this.#host;
    const write = { progress: 0, isStalled: null, timer: null };
    const stalled = new OwnPromise((resolve) => {
      write.isStalled = resolve;
    });
    this.#writes.add(write);
    if (this.#isStopped) this.#watchWrite(write);
    try {
      if (!ok) return {};
      const copied = this.#copy(file, id, write).then(() => undefined);
      const error = await OwnPromise.race([copied, stalled]);
      if (error !== undefined) throw error;
      return {};
    } catch (error) {
      discard(file);
      return { error };
    } finally {
      this.#writes.delete(write);
      write.timer?.cancel();
      native.forgetInspected(id);
      if (!ok) await file.discard();
    }
  }

  async #copy(file, id, write) {
    const { native } = this.#host;
    let bytes = native.inspected(id);
    while (bytes !== undefined) {
      await file.write(bytes);
      write.progress += 1;
      bytes = native.inspected(id);
    }
    await file.keep();
  }

  /** The pool has ended: gives up writes without progress. */
  stopped() {
    this.#isStopped = true;
    const watch = (write) => this.#watchWrite(write);
    this.#writes.forEach(watch);
  }

  #watchWrite(write) {
    const { progress } = write;
    write.timer = schedule(now() + STALLED_MS, () => {
      if (write.progress !== progress) this.#watchWrite(write);
      else this.#giveUp(write);
    });
  }

  #giveUp(write) {
    this.#host.hasStalledFile = true;
    write.isStalled(new Error('the file took nothing for two seconds'));
  }
}

const notWritten = (cause) =>
  workerError(Code.PoolUnavailable, 'the file could not be written', { cause });

// Nobody awaits it, because the file system may never answer.
function discard(file) {
  file.discard().catch(() => {});
}

/** Opens all of the files or none. */
async function openAll(paths) {
  // Loaded late, because few programs inspect their workers.
  const { openToolFile } = require('../../base/tool-file.js');
  const files = [];
  try {
    for (const path of paths) files.push(await openToolFile(path));
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
  return files;
}

module.exports = { Inspector };
