'use strict';
// The code that is tested: it owns a pool and hides it.

const { WorkerPool } = require('sloppy-workers');

class Thumbnails {
  #pool = WorkerPool.create('thumbnails', { workers: 2 });

  /** Takes every `step`-th pixel of a row of bytes. */
  shrink(pixels, step) {
    return this.#pool.run(
      ({ input }) => input.pixels.filter((_, i) => i % input.step === 0),
      { input: { pixels, step }, timeoutMs: 60_000 },
    );
  }

  close() {
    return this.#pool.stop();
  }
}

module.exports = { Thumbnails };
