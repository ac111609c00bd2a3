'use strict';

const { performance } = require('node:perf_hooks');

const { WorkerPool } = require('../../pool/worker-pool.js');
const { serveDashboard } = require('../dashboard-server.js');
const { Exit, usageError } = require('../exit.js');
const {
  checkSameJob,
  loadCheckpoint,
  saveCheckpoint,
} = require('./checkpoint.js');
const { DoneRanges } = require('./done-ranges.js');
const { Failures } = require('./failures.js');
const { Input, identify, sizeOf } = require('./input.js');
const { startProgress } = require('./progress.js');
const { createFormatter } = require('./results.js');
const { BatchRunner } = require('./runner.js');
const { openSink, stdoutSink } = require('./sinks.js');
const { mapWindow } = require('./window.js');

const STOP_GRACE_MS = 2000;
const MIN_PAYLOAD_BYTES = 64 * 2 ** 20;
const MAX_PAYLOAD_BYTES = 2 ** 30;
const HELD_PER_WORKER = 8;

const newCounts = () => ({ records: 0, written: 0, failed: 0, dropped: 0 });

async function* startingWith(first, others) {
  if (!first.done) yield first.value;
  yield* others;
}

/** One run of `map`: from the input through a pool to the output. */
class MapJob {
  #settings;
  #stop;
  // `halt`: read no more records; `abort`: give up those under way.
  #halt = new AbortController();
  #abort = new AbortController();
  #saved = null;
  #identity = null;
  #ranges;
  #counts = newCounts();
  #header = null;
  #formatter;
  #sink;
  #failures;
  #savedAt = 0;
  #pools = [];
  #dashboard;

  /** @param {object} settings of map.js; @param {object} stop of onStop */
  constructor(settings, stop) {
    this.#settings = settings;
    this.#stop = stop;
  }

  /** @returns {Promise<{ exit: number, summary: object }>} */
  async run() {
    const { input, checkpoint } = this.#settings;
    const started = performance.now();
    const total = await sizeOf(input);
    if (checkpoint !== undefined) {
      if (total === undefined) {
        throw usageError(
          '--checkpoint needs a file as input: a pipe cannot be read again',
        );
      }
      await this.#loadCheckpoint();
    }
    if (this.#saved?.isFinished) return this.#nothingToDo();
    let result;
    try {
      result = await this.#runPool(total, started);
    } catch (error) {
      // An error of the end must not replace it.
      await this.#end().catch(() => {});
      throw error;
    }
    await this.#end();
    return result;
  }

  async #runPool(total, started) {
    const pool = this.#createPool();
    this.#dashboard = await this.#openDashboard(pool);
    const runner = this.#createRunner(pool);
    await runner.probe(this.#settings.label);
    this.#restore();
    const failure = await this.#work(runner, total);
    return this.#finish(failure, performance.now() - started);
  }

  async #end() {
    this.#halt.abort();
    this.#abort.abort();
    this.#dashboard?.close();
    for (const each of this.#pools) {
      await each.stop({ drain: false, timeoutMs: 0 });
    }
    const closed = await Promise.allSettled([
      this.#sink?.close(),
      this.#failures?.close(),
    ]);
    const failed = closed.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  async #loadCheckpoint() {
    const { input, checkpoint, setup } = this.#settings;
    this.#identity = await identify(input);
    this.#saved = await loadCheckpoint(checkpoint);
    if (this.#saved === null) return;
    checkSameJob(this.#saved, { input: this.#identity, setup });
  }

  #nothingToDo() {
    const { counts } = this.#saved;
    return {
      exit: Exit.Done,
      summary: { ...counts, isFinished: true, elapsedMs: 0, isResumed: true },
    };
  }

  #createPool(more = {}) {
    const { maxBytes, poolOptions } = this.#settings;
    const payload = Math.max(MIN_PAYLOAD_BYTES, maxBytes * 4);
    const pool = WorkerPool.create('map', {
      ...poolOptions,
      maxPayloadBytes: Math.min(payload, MAX_PAYLOAD_BYTES),
      overflow: 'backpressure',
      ...more,
    });
    this.#pools.push(pool);
    return pool;
  }

  async #openDashboard(pool) {
    const { dashboard: port, label, quiet, json } = this.#settings;
    if (port === undefined) return undefined;
    const title = `sloppy-workers map ${label}`;
    const dashboard = await serveDashboard(pool, { port, title });
    const { url } = dashboard;
    if (json) process.stderr.write(`${JSON.stringify({ dashboard: url })}\n`);
    else if (!quiet) process.stderr.write(`dashboard: ${url}\n`);
    return dashboard;
  }

  #createRunner(pool) {
    const { onError, outputFormat } = this.#settings;
    return new BatchRunner(pool, {
      ...this.#settings,
      stopAtFailure: onError.mode === 'stop',
      keepText: outputFormat === 'lines',
      fields: () => this.#header,
      freshPool: () => this.#createPool({ workers: 1, isolation: 'isolate' }),
      signal: this.#halt.signal,
      abort: this.#abort.signal,
    });
  }

  #restore() {
    const { outputFormat, outputDelimiter, columns } = this.#settings;
    const saved = this.#saved;
    this.#ranges = new DoneRanges(saved?.progress);
    this.#counts = saved?.counts ?? newCounts();
    this.#header = saved?.header ?? null;
    this.#formatter = createFormatter(outputFormat, {
      state: saved?.formatter ?? { columns },
      delimiter: outputDelimiter,
    });
  }

  async #openOutputs() {
    const { checkpoint, output, onError } = this.#settings;
    const saved = this.#saved;
    const sinks = {
      canResume: checkpoint !== undefined,
      halt: this.#halt.signal,
      abort: this.#abort.signal,
    };
    this.#sink =
      output === undefined
        ? stdoutSink
        : await openSink(output, { ...sinks, keep: saved?.outputBytes });
    this.#failures = await Failures.open(
      onError,
      { ...sinks, keep: saved?.failureBytes },
      this.#settings,
    );
    if (saved === null) await this.#save(false);
  }

  async #work(runner, total) {
    const { input: path, workers, ordered, header } = this.#settings;
    const { pace } = runner;
    const input = new Input({
      ...this.#settings,
      path,
      batchSize: () => pace.size,
      signal: this.#halt.signal,
    });
    const wantsHeader = header && this.#header === null;
    const batches = input.batches(
      this.#ranges.gaps(),
      wantsHeader ? (...args) => this.#takeHeader(...args) : undefined,
    );
    const skipped = this.#ranges.position;
    const before = this.#counts.records;
    const progress = this.#settings.progress
      ? startProgress(() => ({
          ...this.#counts,
          before,
          bytes: input.bytesRead,
          total,
          skipped,
        }))
      : undefined;
    const unlink = this.#linkStop();
    try {
      // A header that is refused must not have emptied the output.
      const all = wantsHeader
        ? startingWith(await batches.next(), batches)
        : batches;
      await this.#openOutputs();
      const results = mapWindow(all, (batch) => runner.run(batch), {
        running: workers * 2,
        held: workers * HELD_PER_WORKER,
        ordered,
        signal: this.#halt.signal,
      });
      for await (const outcome of results) {
        await this.#take(outcome);
        if (outcome.stoppedBy !== null) return outcome.stoppedBy;
        // Stopped in the middle: further results would leave a gap.
        if (ordered && outcome.done < outcome.batch.count) break;
      }
      return null;
    } finally {
      unlink();
      progress?.end();
    }
  }

  #linkStop() {
    const { signal } = this.#stop;
    let timer;
    const halt = () => {
      this.#halt.abort();
      timer = setTimeout(() => this.#abort.abort(), STOP_GRACE_MS);
    };
    if (signal.aborted) halt();
    signal.addEventListener('abort', halt);
    return () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', halt);
    };
  }

  #takeHeader(fields, end) {
    this.#header = fields;
    this.#ranges.add({ start: 0, end, index: 1 });
  }

  async #take(outcome) {
    const { batch, done, failures } = outcome;
    for (const text of outcome.texts) {
      await this.#sink.write(this.#formatter.add(text));
    }
    await this.#failures.add(failures);
    this.#counts.records += done - outcome.blank;
    this.#counts.written += outcome.written;
    this.#counts.dropped += outcome.dropped;
    this.#counts.failed += failures.length;
    this.#ranges.add({
      start: batch.positions[0],
      end: batch.positions[done],
      index: batch.index + done,
    });
    const { checkpointMs } = this.#settings;
    if (performance.now() - this.#savedAt >= checkpointMs) {
      await this.#save(false);
    }
  }

  async #save(isFinished) {
    const { checkpoint, setup } = this.#settings;
    if (checkpoint === undefined) return;
    // Results must be on the disk before they are recorded as done.
    await this.#sink.sync();
    await this.#failures.sync();
    await saveCheckpoint(checkpoint, {
      isFinished,
      input: this.#identity,
      setup,
      progress: this.#ranges,
      header: this.#header,
      outputBytes: this.#sink.length,
      failureBytes: this.#failures.length,
      formatter: this.#formatter.state,
      counts: this.#counts,
    });
    this.#savedAt = performance.now();
  }

  async #finish(failure, elapsedMs) {
    const stopped = this.#stop.exit;
    const isFinished = failure === null && stopped === undefined;
    if (isFinished) await this.#sink.write(this.#formatter.end());
    await this.#save(isFinished);
    const summary = {
      ...this.#counts,
      hidden: this.#formatter.state.hidden,
      isFinished,
      isResumed: this.#saved !== null,
      elapsedMs: Math.round(elapsedMs),
    };
    if (failure !== null) summary.failure = failure;
    const failed = failure === null ? Exit.Done : Exit.JobFailed;
    return { exit: stopped ?? failed, summary };
  }
}

module.exports = { MapJob };
