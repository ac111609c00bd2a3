'use strict';

const fs = require('node:fs');

// Captured, because a job may replace it.
const now = performance.now.bind(performance);
const never = new Int32Array(new SharedArrayBuffer(4));

// See src/worker/std_streams.h.
const BROKEN = 0;
const FULL = -1;
const PATIENCE_MS = 5000;
const SLICE_MS = 20;

/**
 * Lets a worker thread write to the process's standard streams itself, as an
 * isolate does: the output is written when the call returns. Node sends it
 * through the owner, and output that the owner has not read is lost when the
 * thread or the process ends. No job closes them for the next.
 *
 * @param {string} file the addon's, '' without one
 */
function writeDirectly(file) {
  const writeSome = addonsWrite(file) ?? nodesWrite;
  for (const [fd, stream] of [
    [1, process.stdout],
    [2, process.stderr],
  ]) {
    stream._writev = writerTo(fd, writeSome);
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

// Never blocks, because a thread that is blocked cannot be ended.
function addonsWrite(file) {
  try {
    return require(file).writeSome;
  } catch {
    // The addon is missing or forbidden.
    return undefined;
  }
}

function nodesWrite(fd, bytes, from) {
  try {
    return fs.writeSync(fd, bytes, from);
  } catch (error) {
    // No reader is left; EAGAIN means a full pipe with a slow reader.
    return error.code === 'EAGAIN' ? FULL : BROKEN;
  }
}

function writerTo(fd, writeSome) {
  let isStalled = false;

  function writeAll(bytes) {
    let until = 0;
    for (let from = 0; from < bytes.length; ) {
      const written = writeSome(fd, bytes, from);
      if (written === BROKEN) return;
      if (written > 0) {
        from += written;
        isStalled = false;
        until = 0;
        continue;
      }
      if (until === 0) until = now() + PATIENCE_MS;
      isStalled ||= now() >= until;
      if (isStalled) return;
      Atomics.wait(never, 0, 0, SLICE_MS);
    }
  }

  return (chunks, done) => {
    for (const { chunk, encoding } of chunks) {
      const isText = typeof chunk === 'string';
      writeAll(isText ? Buffer.from(chunk, encoding) : chunk);
    }
    done();
  };
}

module.exports = { writeDirectly };
