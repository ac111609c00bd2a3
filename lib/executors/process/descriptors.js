'use strict';

const { closeSync, openSync } = require('node:fs');
const { devNull } = require('node:os');

const NOT_STARTED = 'the system has started no process';
const FULL = ['EMFILE', 'ENFILE'];
// Of each pipe both ends, and of libuv's own, by which it hears of the start.
const ENDS = 2;
// What Node opens besides.
const MORE = 2;

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

module.exports = { NOT_STARTED, hasDescriptorsFor };
