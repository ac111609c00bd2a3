'use strict';
// What a round may leave behind: nothing.

const { readdirSync } = require('node:fs');
const assert = require('node:assert');

const LIMIT_MS = 30_000;
const onLinux = process.platform === 'linux';
const count = (folder) => (onLinux ? readdirSync(folder).length : 0);

function inventory() {
  const resources = process.getActiveResourcesInfo();
  return {
    threads: count('/proc/self/task'),
    descriptors: count('/proc/self/fd'),
    handles: resources.filter((name) => name !== 'Timeout').length,
  };
}

/** Waits until there is no more of anything than `before`. */
async function expectNoMoreThan(before) {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const now = inventory();
    const more = Object.keys(before).filter((key) => now[key] > before[key]);
    if (more.length === 0) return;
    if (performance.now() > end) {
      assert.fail(`left behind: ${JSON.stringify({ before, now })}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

module.exports = { expectNoMoreThan, inventory };
