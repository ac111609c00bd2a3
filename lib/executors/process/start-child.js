'use strict';

const { spawn } = require('node:child_process');
const { closeSync, existsSync, openSync } = require('node:fs');
const { devNull } = require('node:os');

const { adopt } = require('./adopted-children.js');
const { makeWatch } = require('./end-watch.js');
const { makeFrameSocket } = require('./frame-socket.js');

// The descriptor of the process for frames.
const FRAMES_AT = 3;
const NOT_STARTED = 'the system has started no process';
const FULL = ['EMFILE', 'ENFILE'];
// A pipe has two; so has libuv's own, by which it hears of the start.
const ENDS = 2;
// Node opens some more.
const MORE = 2;

/**
 * @param {[file: string, args: string[], options: object]} how for `spawn`
 * @param {(chunk: Buffer) => void} hear see makeFrameSocket
 * @param {number} [watchAt] the descriptor in `stdio` whose end tells of the owner's
 * @returns {{ child: ChildProcess, socket: Socket }} a process, whose errors are
 *   nobody's, and the socket for frames
 * @throws {Error} there is none, and why
 */
function startChild([file, args, options], hear, watchAt) {
  if (!hasDescriptorsFor(options.stdio)) throw new Error(NOT_STARTED);
  const frames = makeFrameSocket(options.stdio, FRAMES_AT, hear);
  const given = { ...options, __proto__: null, stdio: frames.stdio };
  let child;
  let socket;
  try {
    child =
      watchAt === undefined
        ? spawn(file, args, given)
        : spawnWatched(file, args, given, watchAt);
  } finally {
    socket = frames.begin(child);
  }
  // Node tells why it has not started in a later turn.
  child.on('error', () => {});
  if (child.pid === undefined) {
    const { cwd } = options;
    const hasFolder = cwd === undefined || existsSync(cwd);
    throw new Error(
      hasFolder ? NOT_STARTED : 'the folder of the option cwd does not exist',
    );
  }
  adopt(child.pid);
  return { child, socket };
}

function spawnWatched(file, args, options, watchAt) {
  const watch = makeWatch(options.stdio, watchAt);
  let child;
  try {
    child = spawn(file, args, {
      ...options,
      __proto__: null,
      stdio: watch.stdio,
    });
  } finally {
    watch.begin(child);
  }
  return child;
}

/**
 * Looks before a start, because Node keeps the pipes for ever that it has made for
 * one that then fails for want of descriptors: each failure would leave less room.
 *
 * @param {(string | number)[]} stdio for `spawn`
 * @returns {boolean} whether there are descriptors enough for it
 */
function hasDescriptorsFor(stdio) {
  if (process.platform === 'win32') return true;
  const pipes = stdio.filter((each) => each === 'pipe').length;
  const files = [];
  try {
    while (files.length < ENDS * (pipes + 1) + MORE) {
      files.push(openSync(devNull));
    }
    return true;
  } catch ({ code }) {
    // Another reason, as of Node's permissions, says nothing of them.
    return !FULL.includes(code);
  } finally {
    for (const file of files) closeSync(file);
  }
}

module.exports = { startChild };
