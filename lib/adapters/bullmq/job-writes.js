'use strict';

/**
 * The writes of a running job to its engine: progress, and rows of its log.
 *
 * While a write is under way, only the newest progress is kept, because each
 * write is a round trip and a job can report thousands of times a second. Rows
 * of the log are written in order. Both are written before the job settles,
 * because a reader of a completed job expects them.
 */
class JobWrites {
  #job;
  #progress;
  #writing = null;
  #logs = null;
  #failure;

  /** @param {{ updateProgress: Function, log: Function }} job */
  constructor(job) {
    this.#job = job;
  }

  progress(value) {
    this.#progress = { value };
    this.#writing ??= this.#writeProgress();
  }

  log(row) {
    const after = this.#logs ?? Promise.resolve();
    this.#logs = after
      .then(() => this.#job.log(row))
      .catch((error) => this.#failed(error));
  }

  async #writeProgress() {
    try {
      while (this.#progress !== undefined) {
        const { value } = this.#progress;
        this.#progress = undefined;
        await this.#job.updateProgress(value);
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#writing = null;
    }
  }

  #failed(error) {
    this.#failure ??= { error };
  }

  /** Resolves when all is written, or has failed. Never rejects. */
  async settle() {
    while (this.#writing !== null) await this.#writing;
    await this.#logs;
  }

  /** @throws {unknown} the error of the first write that failed */
  check() {
    if (this.#failure) throw this.#failure.error;
  }
}

module.exports = { JobWrites };
