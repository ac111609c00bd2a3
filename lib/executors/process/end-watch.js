'use strict';
// A socket whose end tells a process that its owner has ended. With the addon, on
// Linux, the system kills the process then, also one that stands still, or in which
// Node has not come to its first line; elsewhere the process listens itself
// (owner-watch.js).

const { Socket } = require('node:net');

const { looseFunctions } = require('../../addon/load.js');

function makeEnds() {
  try {
    const native = looseFunctions();
    const ends = native.makeEnds();
    if (ends === undefined) return undefined;
    const start = (pid) => native.startWatch(ends.theirs, pid);
    return { theirs: ends.theirs, ours: new Socket({ fd: ends.ours }), start };
  } catch {
    // The addon is missing or forbidden.
    return undefined;
  }
}

function keepUntilExit(socket, child) {
  socket.on('error', () => {});
  socket.unref();
  child.on('exit', () => socket.destroy());
}

/**
 * @param {(string | number)[]} stdio for `spawn`
 * @param {number} at where the process has the socket
 * @returns {{ stdio: (string | number)[], begin(child?: ChildProcess): void }}
 *   for `spawn`; `begin` is called with what that gives, or without
 */
function makeWatch(stdio, at) {
  const ends = makeEnds();
  const given = [...stdio];
  given[at] = ends?.theirs ?? 'pipe';
  return {
    stdio: given,
    begin(child) {
      const hasStarted = child?.pid !== undefined;
      ends?.start(hasStarted ? child.pid : 0);
      if (hasStarted) keepUntilExit(ends?.ours ?? child.stdio[at], child);
      else ends?.ours.destroy();
    },
  };
}

module.exports = { makeWatch };
