'use strict';
// The owner's end of the socket for frames. With the addon all reads are into the
// same memory, because Node takes 64 KiB for each read of a pipe that `spawn` has
// made, and leaves it to the collector.

const { closeSync } = require('node:fs');
const { Socket } = require('node:net');

const { allocAlone, partOf } = require('../../wire/buffers.js');
const { makeEnds } = require('./socket-ends.js');

const READ_BYTES = 64 * 1024;

// Memory of all sockets of this thread: what is kept of a read is copied.
let memory;

function open(fd, hear) {
  memory ??= allocAlone(READ_BYTES);
  const callback = (length, buffer) => {
    hear(partOf(buffer, 0, length));
  };
  return new Socket({
    fd,
    readable: true,
    writable: true,
    onread: { buffer: memory, callback },
  });
}

function listen(pipe, hear) {
  pipe.on('data', hear);
  return pipe;
}

/**
 * @param {(string | number)[]} stdio for `spawn`
 * @param {number} at where the process has its end
 * @param {(chunk: Buffer) => void} hear gets what it says, in memory that the next
 *   chunk may have
 * @returns {{ stdio: (string | number)[], begin(child?: ChildProcess): Socket |
 *   undefined }} for `spawn`; `begin` is called with what that gives, or without
 */
function makeFrameSocket(stdio, at, hear) {
  const ends = makeEnds();
  const given = [...stdio];
  if (ends !== undefined) given[at] = ends.theirs;
  return {
    stdio: given,
    begin(child) {
      const hasStarted = child?.pid !== undefined;
      if (ends !== undefined) closeSync(ends.theirs);
      if (!hasStarted) {
        if (ends !== undefined) closeSync(ends.ours);
        return undefined;
      }
      const socket =
        ends === undefined
          ? listen(child.stdio[at], hear)
          : open(ends.ours, hear);
      // Writes to a process that has gone fail.
      socket.on('error', () => {});
      return socket;
    },
  };
}

/**
 * @param {FrameReader} reader
 * @param {(error: unknown) => void} broken is told of a wrong frame
 * @returns {(chunk: Buffer) => void} for makeFrameSocket
 */
const hearBy = (reader, broken) => (chunk) => {
  try {
    reader.pushLent(chunk);
  } catch (error) {
    broken(error);
  }
};

/** Calls when the process has ended, and all that it has said was heard. */
function afterBoth(child, socket, ended) {
  let isOther = false;
  const closed = () => {
    if (isOther) ended();
    isOther = true;
  };
  child.on('close', closed);
  socket.on('close', closed);
}

module.exports = { afterBoth, hearBy, makeFrameSocket };
