'use strict';

const fs = require('node:fs');

const never = new Int32Array(new SharedArrayBuffer(4));

/**
 * Lets a worker thread write to the process's standard streams itself, as an
 * isolate does: the output is written when the call returns. Node sends it
 * through the owner, and output that the owner has not read is lost when the
 * thread or the process ends. No job closes them for the next.
 */
function writeDirectly() {
  for (const [fd, stream] of [
    [1, process.stdout],
    [2, process.stderr],
  ]) {
    stream._writev = writerTo(fd);
    keepOpen(stream);
  }
}

function keepOpen(stream) {
  const write = stream.write.bind(stream);
  Object.assign(stream, {
    end(...given) {
      const [chunk, encoding] = given.filter((x) => typeof x !== 'function');
      if (chunk !== undefined && chunk !== null) write(chunk, encoding);
      const done = given.find((x) => typeof x === 'function');
      if (done !== undefined) process.nextTick(done);
      return stream;
    },
    destroy: () => stream,
    destroySoon: () => stream,
    cork() {},
    uncork() {},
  });
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
      // No reader is left; EAGAIN means a full pipe with a slow reader.
      if (error.code !== 'EAGAIN') return;
      Atomics.wait(never, 0, 0, 1);
    }
  }
}

module.exports = { writeDirectly };
