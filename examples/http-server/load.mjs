// Clients in a thread of their own, or they would measure themselves waiting.

import { fileURLToPath } from 'node:url';
import {
  isMainThread,
  parentPort,
  Worker,
  workerData,
} from 'node:worker_threads';

const PRIMES = 20;

/** Sends small requests, one after the other, until 20 large ones are done. */
async function load(url) {
  const get = async (path) => (await fetch(url + path)).text();
  await get('/ping');
  let working = true;
  const large = (async () => {
    const answers = [];
    for (let i = 0; i < PRIMES; i += 2) {
      answers.push(...(await Promise.all([get('/primes'), get('/primes')])));
    }
    working = false;
    return answers;
  })();
  const times = [];
  while (working) {
    const started = performance.now();
    await get('/ping');
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.floor(share * (times.length - 1))];
  return {
    answers: await large,
    pings: times.length,
    p50: at(0.5),
    p99: at(0.99),
  };
}

/** @returns the large requests' answers and the small ones' latencies in ms */
export function measure(url) {
  const worker = new Worker(fileURLToPath(import.meta.url), {
    workerData: url,
  });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

if (!isMainThread) parentPort.postMessage(await load(workerData));
