'use strict';
// The leftovers of a round: there may be none.

const { readdirSync, readlinkSync } = require('node:fs');
const { join } = require('node:path');
const assert = require('node:assert');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { liveCounts } = require('../../lib/addon/load.js');

const LIMIT_MS = 120_000;
const STEP_MS = 10;
const onLinux = process.platform === 'linux';
const count = (folder) => (onLinux ? readdirSync(folder).length : 0);

/**
 * The places to which descriptors lead, but for those on Node's executable: V8 opens it
 * for each isolate of Node's (`OS::RemapPages`) and now and then keeps it.
 */
function descriptors() {
  if (!onLinux) return [];
  const folder = '/proc/self/fd';
  const leads = (name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return 'closed meanwhile';
    }
  };
  return readdirSync(folder)
    .map(leads)
    .filter((file) => file !== process.execPath);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
// Every realm to come would get one otherwise.
setFlagsFromString('--no-expose-gc');

function inventory() {
  const resources = process.getActiveResourcesInfo();
  return {
    threads: count('/proc/self/task'),
    descriptors: descriptors().length,
    handles: resources.filter((name) => name !== 'Timeout').length,
    ...liveCounts(),
  };
}

/** Whole megabytes in buffers, without garbage. */
function buffersMb() {
  collectGarbage();
  return Math.ceil(process.memoryUsage().arrayBuffers / 2 ** 20);
}

/** The inventory, once all of it has been used and is at rest. */
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
      const open = descriptors();
      assert.fail(`left behind: ${JSON.stringify({ before, now, open })}`);
    }
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}

module.exports = { expectNoMoreThan, takeInventory };
