'use strict';
// A group of processes whose memory the kernel limits (a cgroup), of the first or
// the second kind, where this user may make one.

const fs = require('node:fs');
const path = require('node:path');

const ROOT = '/sys/fs/cgroup';
const KINDS = [
  {
    parent: path.join(ROOT, 'memory'),
    limits: ['memory.limit_in_bytes', 'memory.memsw.limit_in_bytes'],
    killed: ['memory.oom_control', /^oom_kill (\d+)$/m],
  },
  {
    parent: ROOT,
    limits: ['memory.max', 'memory.swap.max'],
    killed: ['memory.events', /^oom_kill (\d+)$/m],
  },
];
let last = 0;

// A kernel that panics in place of killing is not tried.
const panics = () =>
  fs.readFileSync('/proc/sys/vm/panic_on_oom', 'latin1').trim() === '2';

function make({ parent, limits, killed }, bytes) {
  last += 1;
  const folder = path.join(parent, `sloppy-workers-${process.pid}-${last}`);
  fs.mkdirSync(folder);
  const [memory, swap] = limits.map((name) => path.join(folder, name));
  const [counts, count] = killed.map((each, at) =>
    at === 0 ? path.join(folder, each) : each,
  );
  const remove = () => fs.rmdirSync(folder);
  try {
    fs.writeFileSync(memory, String(bytes));
    // A kernel may count no swap.
    if (fs.existsSync(swap)) {
      fs.writeFileSync(swap, swap.endsWith('swap.max') ? '0' : String(bytes));
    }
  } catch (error) {
    remove();
    throw error;
  }
  return {
    /** Memory that the process has already is not counted. */
    take: (pid) => fs.writeFileSync(`${folder}/cgroup.procs`, String(pid)),
    kills: () => Number(count.exec(fs.readFileSync(counts, 'latin1'))[1]),
    remove,
  };
}

/**
 * @param {number} bytes
 * @returns {object} `{ take(pid), kills(), remove() }`, or `{ reason }` where none
 *   can be made
 */
function memoryGroup(bytes) {
  const reasons = [];
  try {
    if (panics()) return { reason: 'vm.panic_on_oom is 2' };
  } catch (error) {
    return { reason: error.message };
  }
  for (const kind of KINDS) {
    try {
      return make(kind, bytes);
    } catch (error) {
      reasons.push(error.message);
    }
  }
  return { reason: reasons.join('; ') };
}

module.exports = { memoryGroup };
