'use strict';
// A socket whose end tells a process that its owner has ended. With the addon, on
// Linux, the system kills the process then, also one that stands still, or in which
// Node has not come to its first line; elsewhere the process listens itself
// (owner-watch.js).

const { Socket } = require('node:net');

const { looseFunctions } = require('../../addon/load.js');

/** Stands for the socket in `stdio`. */
const WATCH = 'watch';

function makeEnds() {
  try {
    const native = looseFunctions();
    const ends = native.makeWatch();
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
 * @param {(string | number)[]} stdio with one WATCH
 * @returns {{ stdio: (string | number)[], begin(child?: ChildProcess): void }}
 *   for `spawn`; `begin` is called with what that gives, or without
 */
function makeWatch(stdio) {
  const at = stdio.indexOf(WATCH);
  const ends = makeEnds();
  return {
    stdio: stdio.with(at, ends?.theirs ?? 'pipe'),
    begin(child) {
      const hasStarted = child?.pid !== undefined;
      ends?.start(hasStarted ? child.pid : 0);
      if (hasStarted) keepUntilExit(ends?.ours ?? child.stdio[at], child);
      else ends?.ours.destroy();
    },
  };
}

module.exports = { WATCH, makeWatch };
