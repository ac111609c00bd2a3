'use strict';

const { once } = require('node:events');
const http = require('node:http');

const { createDashboard } = require('../../../lib/exporters/dashboard.js');
const { WorkQueue } = require('../../../lib/index.js');
const { createPool, rejection, stopAll } = require('../conformance/support.js');

const servers = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await stopAll();
});

/** @returns {Promise<string>} the address of a server with this listener */
async function serve(listener) {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${server.address().port}`;
}

/** Reads events until `enough(events)`. */
async function events(url, enough) {
  const controller = new AbortController();
  const response = await fetch(url, { signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const found = [];
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    const parts = text.split('\n\n');
    text = parts.pop();
    for (const part of parts) {
      const match = /^event: (\w+)\ndata: (.*)$/.exec(part);
      if (match) found.push([match[1], JSON.parse(match[2])]);
    }
    if (enough(found)) break;
  }
  controller.abort();
  return found;
}

test('serves one page under a policy that names its own parts only', async () => {
  const origin = await serve(createDashboard({ pools: createPool() }));
  const response = await fetch(`${origin}/`);
  const html = await response.text();
  expect(response.status).toBe(200);
  expect(html).not.toMatch(/\b(src|href)=/);
  expect(html).not.toMatch(/<[^>]*\son\w+=/);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('its title is text, whatever it is', async () => {
  const title = '<img src=x onerror="alert(1)">&';
  const origin = await serve(createDashboard({ pools: createPool(), title }));
  const html = await (await fetch(origin)).text();
  expect(html).not.toContain('<img');
  expect(html).toContain('&#60;img');
});

test('sends samples of what its pools did, and no values', async () => {
  const pool = createPool({ workers: 2 }, 'sampled');
  const queue = WorkQueue.create('queue');
  queue.process(() => 1);
  const origin = await serve(
    createDashboard({ pools: [pool, queue], interval: 20 }),
  );
  let listens;
  const listening = new Promise((resolve) => {
    listens = resolve;
  });
  const reading = events(`${origin}?events`, (found) => {
    if (found.length > 0) listens();
    return found.at(-1)?.[1].pools?.[0].counters.failed === 1;
  });
  // The first request begins to sample: earlier jobs belong to no interval.
  await listening;
  pool.share('password', 'hunter2');
  await pool.run(({ input }) => input, { input: 'hunter2', key: 'hunter2' });
  await rejection(
    pool.run(() => {
      throw new Error('hunter2');
    }),
  );
  await queue.enqueue('hunter2');
  const found = await reading;
  expect(found[0][0]).toBe('history');
  expect(found.at(-1)[0]).toBe('sample');
  const [first, second] = found.at(-1)[1].pools;
  expect(first).toMatchObject({
    kind: 'pool',
    name: 'sampled',
    queued: 0,
    workers: expect.any(Number),
    counters: { submitted: 2, completed: 1, failed: 1 },
    keys: { active: expect.any(Number), held: 0 },
    shared: { values: 1, encodes: 1 },
  });
  expect(second).toMatchObject({ kind: 'queue', name: 'queue' });
  const samples = found.slice(1).map(([, sample]) => sample.pools[0]);
  const rates = [...found[0][1].map(({ pools }) => pools[0]), ...samples];
  expect(rates.some((sample) => sample.donePerSecond > 0)).toBe(true);
  expect(rates.some((sample) => sample.p99 > 0)).toBe(true);
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('who comes later gets what was', async () => {
  const origin = await serve(
    createDashboard({ pools: createPool(), interval: 10 }),
  );
  const controller = new AbortController();
  // Held, because a response that is collected ends its stream, and with the
  // last stream the history.
  const first = await fetch(`${origin}?events`, { signal: controller.signal });
  let history = [];
  while (history.length < 3) {
    [[, history]] = await events(`${origin}?events`, (all) => all.length > 0);
  }
  expect(first.bodyUsed).toBe(false);
  controller.abort();
  expect(history[0].at).toBeLessThan(history[2].at);
});

test('answers its path only, and passes the rest on', async () => {
  const dashboard = createDashboard({ pools: createPool(), path: '/workers/' });
  const passed = [];
  const origin = await serve((req, res) => {
    const answered = dashboard(req, res, () => passed.push(req.url));
    if (!answered) res.end('elsewhere');
  });
  const text = async (path) => (await fetch(origin + path)).text();
  expect(await text('/workers')).toMatch(/^<!doctype html>/);
  expect(await text('/workers/')).toMatch(/^<!doctype html>/);
  expect(await text('/workers?x=1')).toMatch(/^<!doctype html>/);
  expect(await text('/workersx')).toBe('elsewhere');
  expect(await text('/')).toBe('elsewhere');
  expect(passed).toEqual(['/workersx', '/']);
});

test('takes GET and HEAD only', async () => {
  const origin = await serve(createDashboard({ pools: createPool() }));
  const head = await fetch(origin, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await fetch(origin, { method: 'POST', body: 'x' });
  expect(post.status).toBe(405);
  expect(post.headers.get('allow')).toBe('GET, HEAD');
});

test('close ends the streams', async () => {
  const dashboard = createDashboard({ pools: createPool(), interval: 10 });
  const origin = await serve(dashboard);
  const response = await fetch(`${origin}?events`);
  dashboard.close();
  const text = await response.text();
  expect(text).toContain('event: history');
});

test('a function says which pools there are', async () => {
  const pools = [createPool({}, 'first')];
  const origin = await serve(
    createDashboard({ pools: () => pools, interval: 10 }),
  );
  pools.push(createPool({}, 'second'));
  const [[, [{ pools: drawn }]]] = await events(
    `${origin}?events`,
    (all) => all.length > 0,
  );
  expect(drawn.map(({ name }) => name)).toEqual(['first', 'second']);
});

test.each([
  [undefined, 'createDashboard options must be a plain object.'],
  [{}, /^createDashboard pools must be pools/],
  [{ pools: [] }, /^createDashboard pools must be pools/],
  [{ pools: [{}] }, /^createDashboard pools must be pools/],
  [{ pools: () => [], interval: 0 }, /interval must be a positive integer/],
  [{ pools: () => [], path: 'workers' }, /path must begin with a slash/],
  [{ pools: () => [], title: 1 }, /title must be a string/],
])('bad options %#', (options, message) => {
  expect(() => createDashboard(options)).toThrow(TypeError);
  expect(() => createDashboard(options)).toThrow(message);
});
