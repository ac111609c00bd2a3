'use strict';

const { WorkerPool } = require('../../../lib/index.js');

/**
 * Runs each program in an isolate and on a thread of Node's: both give the same.
 *
 * @param {Record<string, () => Promise<unknown>>} programs closed functions
 */
function answersAsInNode(programs) {
  describe('a program answers as in Node', () => {
    let isolates;
    let threads;
    beforeAll(() => {
      isolates = WorkerPool.create('isolates', { workers: 1 });
      threads = WorkerPool.create('threads', { workers: 1, runtime: 'thread' });
    });
    afterAll(() => Promise.all([isolates.stop(), threads.stop()]));

    test.each(Object.entries(programs))('%s', async (_, program) => {
      expect(await isolates.run(program)).toEqual(await threads.run(program));
    });
  });
}

module.exports = { answersAsInNode };
