'use strict';
// Node waits for a child in the loop of the thread that has started it. When a
// worker_threads Worker with a pool of processes is terminated, the addon waits
// in its place: they would be zombies until the main thread ends.

const { isMainThread } = require('node:worker_threads');

const { loadNative } = require('../../addon/load.js');

function tell(call, pid) {
  if (isMainThread) return;
  try {
    loadNative()[call](pid);
  } catch {
    // The addon is missing or forbidden.
  }
}

/** @param {number} pid of a child of this thread */
const adopt = (pid) => tell('adoptProcess', pid);

/** @param {number} pid of one that has ended, as Node knows */
const release = (pid) => tell('releaseProcess', pid);

module.exports = { adopt, release };
