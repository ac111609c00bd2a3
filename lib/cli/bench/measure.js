'use strict';
// Run as a process of its own: node measure.js <subject> <workers>. Prints the
// results as JSON.

const { performance } = require('node:perf_hooks');
const { setTimeout: delay } = require('node:timers/promises');

const { OPEN } = require('./subjects.js');

const STARTS = 5;
const WARM_UP = 1000;
const ROUND_TRIPS = 3000;
const IN_FLIGHT = 64;
const THROUGHPUT_MS = 500;
const MANY_WORKERS = 8;
const SETTLE_MS = 100;
const MIB = 2 ** 20;

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

async function check(pool) {
  const answer = await pool.call(41);
  if (answer !== 42) throw new Error(`41 + 1 is not ${answer}`);
}

/** Milliseconds from nothing to the first answer. */
async function measureStart(open) {
  const times = [];
  for (let n = 0; n < STARTS; n += 1) {
    const started = performance.now();
    const pool = open(1);
    await check(pool);
    times.push(performance.now() - started);
    await pool.close();
  }
  return median(times);
}

/** Microseconds there and back, one call after the other. */
async function measureRoundTrip(open) {
  const pool = open(1);
  const times = [];
  for (let n = 0; n < WARM_UP + ROUND_TRIPS; n += 1) {
    const started = performance.now();
    await pool.call(n);
    if (n >= WARM_UP) times.push(performance.now() - started);
  }
  await pool.close();
  return median(times) * 1000;
}

/** Jobs per second with many under way. */
async function measureThroughput(open, workers) {
  const pool = open(workers);
  await check(pool);
  let done = 0;
  let end = performance.now() + THROUGHPUT_MS;
  const client = async () => {
    while (performance.now() < end) {
      await pool.call(done);
      done += 1;
    }
  };
  const round = () => Promise.all(Array.from({ length: IN_FLIGHT }, client));
  await round();
  done = 0;
  const started = performance.now();
  end = started + THROUGHPUT_MS;
  await round();
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return done / seconds;
}

/** MiB of the process for each worker that has answered. */
async function measureMemory(open) {
  // Code that is loaded once per process does not count.
  const first = open(1);
  await check(first);
  await delay(SETTLE_MS);
  const before = process.memoryUsage.rss();
  const pool = open(MANY_WORKERS);
  await Promise.all(
    Array.from({ length: MANY_WORKERS * 4 }, () => check(pool)),
  );
  await delay(SETTLE_MS);
  const used = process.memoryUsage.rss() - before;
  await pool.close();
  await first.close();
  return Math.max(0, used / MANY_WORKERS / MIB);
}

async function main([name, workers]) {
  const open = OPEN[name];
  const result = {
    memory: await measureMemory(open),
    start: await measureStart(open),
    roundTrip: await measureRoundTrip(open),
    throughput: await measureThroughput(open, Number(workers)),
  };
  process.stdout.write(JSON.stringify(result));
}

main(process.argv.slice(2));
