'use strict';
// What a round may leave behind: nothing.

const { readdirSync } = require('node:fs');
const assert = require('node:assert');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { liveCounts } = require('../../lib/addon/load.js');

const LIMIT_MS = 120_000;
const STEP_MS = 10;
const onLinux = process.platform === 'linux';
const count = (folder) => (onLinux ? readdirSync(folder).length : 0);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
// Or every realm to come gets one.
setFlagsFromString('--no-expose-gc');

function inventory() {
  const resources = process.getActiveResourcesInfo();
  return {
    threads: count('/proc/self/task'),
    descriptors: count('/proc/self/fd'),
    handles: resources.filter((name) => name !== 'Timeout').length,
    ...liveCounts(),
  };
}

/** Whole megabytes in buffers, without garbage. */
function buffersMb() {
  collectGarbage();
  return Math.ceil(process.memoryUsage().arrayBuffers / 2 ** 20);
}

/** What there is, once it has been used and is at rest. */
const takeInventory = () => ({ ...inventory(), buffersMb: buffersMb() + 1 });

/** Waits until there is no more of anything than `before`. */
async function expectNoMoreThan(before) {
  const end = performance.now() + LIMIT_MS;
  for (let step = STEP_MS; ; step *= 1.2) {
    const now = inventory();
    const tooMuch = (key) => now[key] > before[key];
    if (!Object.keys(before).some(tooMuch)) {
      now.buffersMb = buffersMb();
      if (!tooMuch('buffersMb')) return;
    }
    if (performance.now() > end) {
      assert.fail(`left behind: ${JSON.stringify({ before, now })}`);
    }
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}

module.exports = { expectNoMoreThan, takeInventory };
