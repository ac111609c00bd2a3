'use strict';

const { WorkerPool } = require('../../../lib/index.js');

/**
 * @returns {{ isolates: WorkerPool, threads: WorkerPool }} one worker of each, for
 *   the tests of a file or of a `describe`: what jobs find in an isolate, and what
 *   Node has
 */
function bothPlaces() {
  const places = {};
  beforeAll(() => {
    places.isolates = WorkerPool.create('isolates', { workers: 1 });
    places.threads = WorkerPool.create('threads', {
      workers: 1,
      runtime: 'thread',
    });
  });
  afterAll(() => Promise.all(Object.values(places).map((pool) => pool.stop())));
  return places;
}

module.exports = { bothPlaces };
