'use strict';
// Every server of the package outlives its clients: odd request lines, hosts
// and methods, upgrades, resets after each part of a request, slow readers.

const http = require('node:http');
const http2 = require('node:http2');
const net = require('node:net');
const { setImmediate: turn } = require('node:timers/promises');

const { createDashboard } = require('../../lib/exporters/dashboard.js');
const { serveDashboard } = require('../../lib/cli/dashboard-server.js');
const { serveHealth } = require('../../lib/cli/health-server.js');
const { openInspector } = require('../../lib/index.js');
const { WorkerPool, assert, pass } = require('./support/check.js');

const LINES = [
  'GET // HTTP/1.1',
  'GET http://[ HTTP/1.1',
  'GET http:// HTTP/1.1',
  'GET /%zz?%%&events HTTP/1.1',
  'GET ?events HTTP/1.1',
  'GET /?events HTTP/1.1',
  'GET /metrics HTTP/1.1',
  'GET /json/list HTTP/1.1',
  'GET __proto__ HTTP/1.1',
  'GET /__proto__ HTTP/1.1',
  'GET /constructor HTTP/1.1',
  'HEAD / HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'POST /healthz HTTP/1.1',
  'TRACE / HTTP/1.1',
  'PROPFIND / HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'CONNECT / HTTP/1.1',
  'GET / HTTP/1.0',
  'GET / HTTP/9.9',
  'PRI * HTTP/2.0',
  'BREW /pot HTCPCP/1.0',
  'GET',
  '\x16\x03\x01\x02\x00',
];
const HEADERS = [
  'Host: x',
  'Host: 127.0.0.1:99999999',
  'Host: [',
  `Host: x\r\nCookie: ${'a'.repeat(70_000)}`,
  'Host: x\r\nHost: y',
  'Host: x\r\nContent-Length: 10',
  'Host: x\r\nTransfer-Encoding: chunked',
  'Host: x\r\nExpect: 100-continue',
  'Host: x\r\nExpect: 1000',
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c',
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket',
];
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const upgradeOf = (path, host, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\n` +
  `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n${KEY}\r\n${more}\r\n`;
// Masked frames: not JSON, null, a call without parameters, no UTF-8, and one
// whose length is a lie.
const frame = (text) => {
  const bytes = Buffer.from(text);
  return Buffer.concat([
    Buffer.from([0x81, 0x80 | bytes.length, 0, 0, 0, 0]),
    bytes,
  ]);
};
const FRAMES = [
  frame('{'),
  frame('null'),
  frame('{"id":1,"method":"NodeWorker.enable","params":null}'),
  frame('{"id":1,"method":7,"sessionId":{}}'),
  Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
  Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0xf1, 0x80, 0, 0, 0, 0]),
];

/** Sends the parts a turn apart, and resets after `cut` of them, if ever. */
function harm(port, parts, cut = Infinity) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const late = setTimeout(() => socket.resetAndDestroy(), 200);
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(late);
      resolve();
    });
    socket.on('connect', async () => {
      for (const [at, part] of parts.entries()) {
        if (at >= cut) break;
        socket.write(part);
        await turn();
      }
      if (cut === Infinity) socket.resume();
      else socket.resetAndDestroy();
    });
  });
}

function programsFor(port) {
  const host = `127.0.0.1:${port}`;
  const programs = [];
  for (const line of LINES) {
    programs.push([`${line}\r\n`, `Host: ${host}\r\n`, '\r\n', 'more']);
  }
  for (const header of HEADERS) {
    programs.push(['GET / HTTP/1.1\r\n', `${header}\r\n`, '\r\n', '\0\0']);
  }
  for (const path of ['/', '/nothing', '//', '/%zz']) {
    programs.push([upgradeOf(path, host), ...FRAMES]);
    programs.push([upgradeOf(path, 'foreign'), ...FRAMES]);
    programs.push([upgradeOf(path, host, 'Origin: http://a\r\n'), ...FRAMES]);
  }
  return programs;
}

async function harmAll(port, programs) {
  for (const parts of programs) {
    const cuts = [Infinity, ...parts.keys(), parts.length];
    await Promise.all(cuts.map((cut) => harm(port, parts, cut)));
  }
}

const statusOf = async (url) => (await fetch(url)).status;

async function main() {
  let warned = '';
  process.on('warning', (warning) => {
    warned ||= `${warning.code} ${warning.message}`;
  });
  const pool = WorkerPool.create('odd', { workers: 1 });

  const health = await serveHealth(pool, {
    port: 0,
    host: '127.0.0.1',
    isReady: () => true,
    load: require,
  });
  const page = await serveDashboard(pool, { port: 0, title: 't' });
  for (const [url, ok] of [
    [health.url, '/healthz'],
    [page.url, ''],
  ]) {
    const { port } = new URL(url);
    await harmAll(Number(port), programsFor(port));
    assert.strictEqual(await statusOf(`${url}${ok}`), 200, url);
  }
  health.close();
  page.close();

  const dashboard = createDashboard({ pools: pool, interval: 5 });
  for (const { createServer } of [http, http2]) {
    const server = createServer(dashboard).listen(0, '127.0.0.1');
    server.on('sessionError', () => {});
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address();
    await harmAll(port, programsFor(port));
    server.close();
    server.closeAllConnections?.();
  }
  dashboard.close();

  const endpoint = await openInspector({ port: 0 });
  const root = new URL(endpoint.url).pathname;
  const host = `127.0.0.1:${endpoint.port}`;
  const programs = programsFor(endpoint.port);
  for (const each of FRAMES) programs.push([upgradeOf(root, host), each]);
  await harmAll(endpoint.port, programs);
  assert.strictEqual(await statusOf(`http://${host}/json/version`), 200);
  await endpoint.close();

  await pool.stop();
  assert.strictEqual(warned, '');
  pass();
}

main();
