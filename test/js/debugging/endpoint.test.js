'use strict';
// The endpoint of openInspector(): which clients may use it, what it lists, and
// what it refuses.

const http = require('node:http');
const { join } = require('node:path');

const WebSocket = require('ws');

const { WorkerPool, openInspector } = require('../../../lib/index.js');
const { connect } = require('./support.js');

const MODULE = join(__dirname, 'fixtures/work.mjs');

let inspector;
let pools;
let clients;
beforeEach(() => {
  pools = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.close();
  await inspector?.close();
  inspector = undefined;
  await Promise.all(pools.map((pool) => pool.stop({ drain: false })));
});

function poolOf() {
  const pool = WorkerPool.create('debugged', { workers: 1, module: MODULE });
  pools.push(pool);
  return pool;
}

describe('the endpoint', () => {
  const get = (headers, path = '/json/list', method = 'GET') =>
    new Promise((resolve, reject) => {
      const { port } = inspector;
      http
        .request({ port, host: '127.0.0.1', path, method, headers }, (answer) =>
          resolve(answer.resume().statusCode),
        )
        .on('error', reject)
        .end();
    });
  const upgrade = (url, options) =>
    new Promise((resolve) => {
      const socket = new WebSocket(url, options);
      socket.on('open', () => {
        socket.terminate();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, { statusCode }) =>
        resolve(statusCode),
      );
    });

  beforeEach(async () => {
    inspector = await openInspector({ port: 0 });
  });

  test('answers under the names of this machine only', async () => {
    expect(await get({})).toBe(200);
    for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1:9', '[::1]:9']) {
      expect(await get({ host })).toBe(200);
    }
    for (const host of [
      'evil.example',
      'localhost6',
      'localhost.evil.example',
      '1.2.3.4.evil.example',
      '[x]',
    ]) {
      expect(await get({ host })).toBe(400);
    }
    expect(await get({}, '/json/list', 'POST')).toBe(400);
    expect(await get({}, '/other')).toBe(404);
  });

  test('refuses pages that a browser shows, and guessed paths', async () => {
    const { url } = inspector;
    expect(await upgrade(url)).toBe(101);
    expect(await upgrade(url, { origin: 'devtools://devtools' })).toBe(101);
    expect(await upgrade(url, { origin: 'https://evil.example' })).toBe(400);
    expect(await upgrade(url, { origin: 'null' })).toBe(400);
    const headers = { host: 'evil.example' };
    expect(await upgrade(url, { headers })).toBe(400);
    expect(await upgrade(url.replace(/[^/]+$/, 'guess'))).toBe(400);
  });

  test('lists the workers behind the root', async () => {
    await poolOf().invoke('crunch', { n: 1 });
    const list = await (
      await fetch(`http://127.0.0.1:${inspector.port}/json/list`)
    ).json();
    expect(list[0].webSocketDebuggerUrl).toBe(inspector.url);
    expect(list.length).toBeGreaterThan(1);
    const worker = await connect(list[1].webSocketDebuggerUrl);
    clients.push(worker);
    const { result } = await worker.post('Runtime.evaluate', {
      expression: '6 * 7',
    });
    expect(result.value).toBe(42);
  });

  test('survives what is no message', async () => {
    const socket = new WebSocket(inspector.url);
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send('{');
    await new Promise((resolve) => socket.on('close', resolve));
    expect(await get({})).toBe(200);
  });

  test('is one of a process', async () => {
    await expect(openInspector({ port: 0 })).rejects.toThrow('open already');
  });

  test('says which port is taken, and which options it has', async () => {
    const { port } = inspector;
    await inspector.close();
    const taken = http.createServer().listen(port, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    await expect(openInspector({ port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    taken.close();
    // Limits, which an inspector would suspend, hold.
    const pool = WorkerPool.create('limited', { workers: 1, cpuLimitMs: 50 });
    pools.push(pool);
    const loop = () => {
      for (;;);
    };
    await expect(pool.run(loop)).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    });
    for (const bad of [{ port: -1 }, { host: '' }, { wait: 1 }, { ports: 1 }]) {
      await expect(openInspector(bad)).rejects.toThrow(TypeError);
    }
  });
});
