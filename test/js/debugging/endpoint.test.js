'use strict';
// The endpoint of openInspector(): which clients may use it, what it lists, and
// what it refuses.

const { randomUUID } = require('node:crypto');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const http = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const WebSocket = require('ws');

const {
  Worker,
  WorkerPool,
  openInspector,
  prewarm,
} = require('../../../lib/index.js');
const { connect, ownPools } = require('./support.js');

const { name, isOwn } = ownPools();

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

function poolOf(options = { module: MODULE }) {
  const pool = WorkerPool.create(name, { workers: 1, ...options });
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

  const listed = async () => {
    const list = await fetch(`http://127.0.0.1:${inspector.port}/json/list`);
    return list.json();
  };

  test('lists the workers behind the root', async () => {
    await poolOf().invoke('crunch', { n: 1 });
    const list = await listed();
    expect(list[0].webSocketDebuggerUrl).toBe(inspector.url);
    const [{ title, webSocketDebuggerUrl }] = list.slice(1).filter(isOwn);
    expect(title).toMatch(/, worker 1 \(pool \d+\)$/);
    const worker = await connect(webSocketDebuggerUrl);
    clients.push(worker);
    const { result } = await worker.post('Runtime.evaluate', {
      expression: '6 * 7',
    });
    expect(result.value).toBe(42);
  });

  test('lists a Worker by its file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sw-endpoint-'));
    const name = `${randomUUID()}.mjs`;
    writeFileSync(join(folder, name), 'export const one = () => 1;');
    const worker = await Worker.start(join(folder, name));
    const titles = (await listed()).map(({ title }) => title);
    await worker.stop();
    rmSync(folder, { recursive: true });
    expect(titles.filter((title) => title.startsWith(`${name}, `))).toEqual([
      expect.stringMatching(/, worker 1 \(pool \d+\)$/),
    ]);
  });

  test('lists a spare under the name of the pool that took it', async () => {
    const likeThePool = { workers: 1 };
    await prewarm({ spares: 1, ...likeThePool });
    const pool = poolOf(likeThePool);
    await pool.run(() => 1);
    await prewarm({ spares: 0, ...likeThePool });
    expect((await listed()).filter(isOwn)).toHaveLength(1);
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
