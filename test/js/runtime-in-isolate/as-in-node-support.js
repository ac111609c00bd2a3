'use strict';

const { bothPlaces } = require('../support/both-places.js');

/**
 * Runs each program in an isolate and on a thread of Node's: both give the same.
 *
 * @param {Record<string, () => Promise<unknown>>} programs closed functions
 */
function answersAsInNode(programs) {
  describe('a program answers as in Node', () => {
    const places = bothPlaces();

    test.each(Object.entries(programs))('%s', async (_, program) => {
      const { isolates, threads } = places;
      expect(await isolates.run(program)).toEqual(await threads.run(program));
    });
  });
}

module.exports = { answersAsInNode };
