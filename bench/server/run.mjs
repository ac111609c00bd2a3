/**
 * A server that renders with React: its throughput, how long its pages and its
 * other route take, at parts of what it can do, and its memory.
 *
 *     npm install --prefix bench --ignore-scripts
 *     node bench/server/run.mjs [--rounds 3] [--seconds 4]
 *
 * The kinds of server take turns. The load is the same for all: parts of what
 * the one with this library can do in that round.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { capacityOf, clientOf, send } from './load.mjs';

const { median } = createRequire(import.meta.url)('../lib/stats.js');
const KINDS = ['sloppy-workers', 'piscina', 'main thread'];
const LOADS = [0.5, 0.8, 1.2];
const PINGS_PER_SECOND = 50;
const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);

async function openServer(kind) {
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = fork(SERVER, [kind], { env });
  const [{ port }] = await once(child, 'message');
  const client = clientOf(port);
  // Warm.
  await capacityOf(client.get, 4, seconds);
  return {
    get: client.get,
    async memoryMb() {
      child.send('memory');
      const [{ kb }] = await once(child, 'message');
      return kb / 1024;
    },
    async close() {
      client.close();
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

const share = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length * part)] ?? NaN;

async function measure({ get }, perSecond) {
  const [pages, pings] = await Promise.all([
    send(get, '/page', perSecond, seconds),
    send(get, '/ping', PINGS_PER_SECOND, seconds),
  ]);
  return {
    'pages/s': pages.ok.length / seconds,
    refused: pages.refused.length / (pages.ok.length + pages.refused.length),
    'page p50': share(pages.ok, 0.5),
    'page p99': share(pages.ok, 0.99),
    'refusal p99': share(pages.refused, 0.99),
    'ping p50': share(pings.ok, 0.5),
    'ping p99': share(pings.ok, 0.99),
  };
}

const results = new Map();
function note(kind, load, figures) {
  for (const [name, value] of Object.entries(figures)) {
    const key = JSON.stringify([load, name]);
    if (!results.has(key)) results.set(key, new Map());
    const row = results.get(key);
    row.set(kind, [...(row.get(kind) ?? []), value]);
  }
}

const servers = new Map();
for (const kind of KINDS) servers.set(kind, await openServer(kind));
for (let round = 0; round < rounds; round += 1) {
  let capacity;
  for (const [kind, server] of servers) {
    const pages = await capacityOf(server.get, 4, seconds);
    capacity ??= pages;
    note(kind, 'all it can', { 'pages/s': pages });
  }
  for (const load of LOADS) {
    for (const [kind, server] of servers) {
      note(kind, load, await measure(server, capacity * load));
    }
  }
}
for (const [kind, server] of servers) {
  note(kind, 'afterwards', { 'memory, MB': await server.memoryMb() });
  await server.close();
}

const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
row([`Node ${process.version}`, '', ...KINDS]);
row(['---', '---', ...KINDS.map(() => '---')]);
for (const [key, byKind] of results) {
  const [load, name] = JSON.parse(key);
  const digits = name === 'refused' ? 2 : 1;
  const cells = KINDS.map((kind) => median(byKind.get(kind)).toFixed(digits));
  row([load, name, ...cells]);
}
