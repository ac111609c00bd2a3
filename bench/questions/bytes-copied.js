'use strict';

const { direct, roundTrips, tripLines } = require('../lib/echo-question.js');

const bytes = () => new Uint8Array(10 * 1024 * 1024).fill(7);

// The least cost of a copy there and a copy back: into fresh memory, because
// the receiver keeps what it gets.
function copyTwice() {
  const source = bytes();
  return () => source.slice().slice();
}

module.exports = {
  title: '10 MB of bytes there and back, copied',
  lines: tripLines([
    { peer: 'worker_threads', ratio: 0.6 },
    { peer: 'memcpy', ratio: 1.5 },
  ]),
  subjects: { ...roundTrips(bytes), memcpy: direct(copyTwice) },
};
