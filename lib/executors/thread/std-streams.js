'use strict';

const fs = require('node:fs');

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lets a worker thread write to the process's standard streams itself, as an
 * isolate does: all that was written is out when the call returns. Node's own
 * way is through the owner, a piece at a time, and what the owner has not asked
 * for yet is lost when the thread or the process ends.
 */
function writeDirectly() {
  process.stdout._writev = writerTo(1);
  process.stderr._writev = writerTo(2);
}

function writerTo(fd) {
  return (chunks, done) => {
    for (const { chunk, encoding } of chunks) {
      const isText = typeof chunk === 'string';
      writeAll(fd, isText ? Buffer.from(chunk, encoding) : chunk);
    }
    done();
  };
}

function writeAll(fd, bytes) {
  let from = 0;
  while (from < bytes.length) {
    try {
      from += fs.writeSync(fd, bytes, from);
    } catch (error) {
      // Nobody reads; or else it is a pipe, full, with a slow reader.
      if (error.code !== 'EAGAIN') return;
      Atomics.wait(never, 0, 0, 1);
    }
  }
}

module.exports = { writeDirectly };
