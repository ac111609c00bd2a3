// Clients in a process of their own, or they would measure themselves waiting:
// four of them ask for pages all the time, one for /health every 5 ms. Prints
// what came of it as JSON.

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

const CLIENTS = 4;
const [url, milliseconds] = process.argv.slice(2);
const pages = new Set();
const times = [];
let count = 0;

async function get(path) {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

async function askForPages(until) {
  while (performance.now() < until) {
    const page = await get('/page');
    count += 1;
    pages.add(createHash('sha256').update(page).digest('hex'));
  }
}

async function askForHealth(until) {
  while (performance.now() < until) {
    const began = performance.now();
    await get('/health');
    times.push(performance.now() - began);
    await delay(5);
  }
}

await Promise.all([get('/page'), get('/health')]);
const began = performance.now();
const until = began + Number(milliseconds);
await Promise.all([
  askForHealth(until),
  ...Array.from({ length: CLIENTS }, () => askForPages(until)),
]);
const seconds = (performance.now() - began) / 1000;
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(share * (times.length - 1))];
console.log(
  JSON.stringify({
    pages: [...pages],
    pagesPerSecond: count / seconds,
    healthChecks: times.length,
    p50: at(0.5),
    p99: at(0.99),
  }),
);
