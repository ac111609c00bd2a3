'use strict';
// A socket whose end tells a process that its owner has ended. With the addon, on
// Linux, the system kills the process then, also one that stands still, or in which
// Node has not come to its first line; elsewhere the process listens itself
// (owner-watch.js).

const { closeSync } = require('node:fs');
const { Socket } = require('node:net');

const { looseFunctions } = require('../../addon/load.js');
const { makeEnds } = require('./socket-ends.js');

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
      const pid = child?.pid;
      if (ends === undefined) {
        if (pid !== undefined) keepUntilExit(child.stdio[at], child);
        return;
      }
      looseFunctions().startWatch(ends.theirs, pid ?? 0);
      if (pid === undefined) closeSync(ends.ours);
      else keepUntilExit(new Socket({ fd: ends.ours }), child);
    },
  };
}

module.exports = { makeWatch };
