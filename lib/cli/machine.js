'use strict';
// The limits that decide how many workers make sense here.

const { readFileSync } = require('node:fs');
const os = require('node:os');
const { join } = require('node:path');

function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * The first value found from our own control group upward (cgroup v2, Linux).
 */
function readGroup(file) {
  const own = /^0::(\/.*)$/m.exec(readOrNull('/proc/self/cgroup') ?? '')?.[1];
  const parts = (own ?? '/').split('/').filter(Boolean);
  for (let depth = parts.length; depth >= 0; depth -= 1) {
    const folder = join('/sys/fs/cgroup', ...parts.slice(0, depth));
    const text = readOrNull(join(folder, file));
    if (text !== null && !text.startsWith('max')) return text;
  }
  return null;
}

/** @returns {number | null} cores that the control group grants */
function groupCores() {
  const [quota, period] = (readGroup('cpu.max') ?? '').split(' ').map(Number);
  return quota > 0 && period > 0 ? quota / period : null;
}

const numberOrNull = (text) =>
  text !== null && /^\d+$/.test(text) ? Number(text) : null;

function threadLimit() {
  const limits = readOrNull('/proc/self/limits') ?? '';
  const ofUser = /^Max processes\s+(\d+)/m.exec(limits)?.[1] ?? null;
  const bounds = [numberOrNull(readGroup('pids.max')), numberOrNull(ofUser)];
  const known = bounds.filter((bound) => bound !== null);
  return known.length > 0 ? Math.min(...known) : null;
}

/** Bytes; a limit of the control group if there is one. */
function memoryLimit() {
  const total = os.totalmem();
  const constrained = process.constrainedMemory?.() ?? 0;
  // The number is 0, or one that no machine has, if there is no limit.
  return constrained > 0 && constrained < total ? constrained : total;
}

const MIB = 2 ** 20;
const WORKER_MIB = 128;
// Threads of the rest of Node, roughly: libuv's pool, V8's helpers.
const SPARE_THREADS = 16;

const row = (id, isGood, message) => ({
  id,
  status: isGood ? 'ok' : 'warn',
  message,
});

/** @returns {{ id, status, message }[]} */
function machineRows() {
  const cores = os.availableParallelism();
  const granted = groupCores();
  const limit = memoryLimit();
  const free = process.availableMemory?.() ?? os.freemem();
  const threads = threadLimit();
  const mib = (bytes) => `${Math.round(bytes / MIB)} MiB`;
  const fitting = Math.floor(free / MIB / WORKER_MIB);
  return [
    row(
      'machine.cores',
      granted === null || granted >= cores,
      granted === null || granted >= cores
        ? `${cores} cores`
        : `${cores} cores, but the control group grants ${granted}: ` +
            `use ${Math.max(1, Math.floor(granted))} workers`,
    ),
    row(
      'machine.memory',
      fitting >= cores,
      `${mib(free)} of ${mib(limit)} are available, for ${fitting} workers ` +
        `that fill the ${WORKER_MIB} MiB of the default limit`,
    ),
    row(
      'machine.threads',
      threads === null || threads >= cores + SPARE_THREADS,
      threads === null
        ? 'no limit is known'
        : `at most ${threads} threads and processes`,
    ),
  ];
}

module.exports = { machineRows };
