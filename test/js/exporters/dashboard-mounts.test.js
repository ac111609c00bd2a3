'use strict';
// The page as docs/observability.md mounts it on other servers.

const { once } = require('node:events');

const express = require('express');
const fastify = require('fastify');

const { createDashboard } = require('../../../lib/exporters/dashboard.js');
const { createPool, stopAll } = require('../conformance/support.js');

const ends = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await stopAll();
});

async function onExpress(dashboard) {
  const app = express();
  app.use('/workers', dashboard);
  app.get('/', (_request, response) => response.send('home'));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${server.address().port}`;
}

async function onFastify(dashboard) {
  const app = fastify();
  app.get('/workers', (request, reply) => {
    reply.hijack();
    dashboard(request.raw, reply.raw);
  });
  app.get('/', async () => 'home');
  ends.push(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' });
}

/** Reads a stream of events until one of them comes a second time. */
async function readSamples(response) {
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    if (text.split('event: sample').length > 2) return text;
  }
  throw new Error('the stream has ended');
}

test.each([
  ['Express', onExpress],
  ['Fastify', onFastify],
])('%s serves page and events beside its own routes', async (_name, mount) => {
  const pool = createPool({}, 'mounted');
  const dashboard = createDashboard({ pools: [pool], interval: 10 });
  ends.push(() => dashboard.close());
  const origin = await mount(dashboard);
  expect(await (await fetch(origin)).text()).toBe('home');

  const page = await fetch(`${origin}/workers`);
  expect(page.headers.get('content-type')).toContain('text/html');
  const html = await page.text();
  expect(html).toContain('<!doctype html>');

  const controller = new AbortController();
  const { signal } = controller;
  const stream = await fetch(`${origin}/workers?events`, { signal });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  await pool.run(() => 1);
  expect(await readSamples(stream)).toContain('"name":"mounted"');
  controller.abort();
});
