'use strict';
// `sloppy-workers queue` and `worker` on a file, and what they refuse.

const { once } = require('node:events');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const { runCli, startCli, told } = require('../support/cli.js');
const { drivers } = require('../support/sqlite-drivers.js');

const processorFile = path.join(__dirname, '../engines/fixtures/sandbox.cjs');

let folder;
let file;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cli-worker-'));
  file = path.join(folder, 'jobs.db');
});

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const queue = (...words) => runCli(['queue', ...words, '--connection', file]);

async function counts() {
  return JSON.parse((await queue('list', 'q')).stdout);
}

function startWorker(...words) {
  const names = ['--name', 'q', '--connection', file];
  return startCli(['worker', processorFile, ...names, ...words]);
}

(drivers.length > 0 ? describe : describe.skip)('with SQLite', () => {
  test('add, a worker with its endpoints, list, retry, drain', async () => {
    const added = await queue(
      'add',
      'q',
      'job',
      '--id',
      'a',
      '--data',
      '{"kind":"echo","value":5}',
    );
    expect([added.code, added.stdout]).toEqual([0, 'a\n']);
    await queue('add', 'q', 'job', '--id', 'a');
    await queue('add', 'q', 'bad', '--id', 'b', '--data', '{"kind":"throws"}');
    const echo = ['--data', '{"kind":"echo"}', '--priority', '3'];
    await queue('add', 'q', 'job', '--id', 'p', ...echo);
    expect(await counts()).toMatchObject({ waiting: 2, prioritized: 1 });
    const worker = startWorker('--health', '0');
    let stderr = '';
    worker.child.stderr.on('data', (text) => {
      stderr += text;
    });
    await told(worker.child, 'worker of q');
    const [url] = /http:\/\/[\d.:]+/.exec(stderr);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain('sloppy_workers_jobs_submitted_total');
    while ((await counts()).failed + (await counts()).completed < 3);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(stderr).toContain('failed bad b');
    const failed = await queue('list', 'q', '--state', 'failed');
    expect(JSON.parse(failed.stdout)).toMatchObject({
      id: 'b',
      failedReason: 'out of range',
    });
    await queue('retry', 'q');
    expect((await counts()).waiting).toBe(1);
    await queue('drain', 'q');
    expect(await counts()).toMatchObject({ waiting: 0, completed: 2 });
  });

  test('SIGTERM with a loop: it is given back', async () => {
    await queue('add', 'q', 'job', '--data', '{"kind":"loop"}');
    const worker = startWorker('--grace', '200ms');
    await told(worker.child, 'worker of q');
    while ((await counts()).active === 0);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).code).toBe(0);
    expect(await counts()).toMatchObject({ waiting: 1, failed: 0, active: 0 });
  });
});

test.each([
  [
    ['worker', 'none.mjs', '--connection', 'a.db', '--name', 'q'],
    3,
    /none\.mjs/,
  ],
  [
    [
      'worker',
      processorFile,
      '--queue',
      'kafka',
      '--connection',
      'x',
      '--name',
      'q',
    ],
    2,
    /no queue kafka/,
  ],
  [['worker', processorFile, '--name', 'q'], 2, /--connection/],
  [
    ['worker', processorFile, '--connection', 'mongodb://x', '--name', 'q'],
    2,
    /cannot be mongodb:/,
  ],
  [
    ['queue', 'list', 'q', '--connection', 'a.db', '--state', 'lost'],
    2,
    /no state lost/,
  ],
  [
    ['queue', 'list', 'q', '--connection', 'redis://127.0.0.1:1'],
    3,
    /cannot be reached/,
  ],
  [['queue', 'list', 'q', '--connection', 'none.db'], 3, /none\.db/],
])('%j is refused', async (args, code, text) => {
  const ended = await runCli(args);
  expect(ended.code).toBe(code);
  expect(ended.stderr).toMatch(text);
});

test('an engine that is not installed is named', async () => {
  const args = ['worker', processorFile, '--queue', 'bullmq', '--name', 'q'];
  const ended = await runCli([...args, '--connection', 'redis://x'], {
    cwd: folder,
  });
  expect(ended.code).toBe(3);
  expect(ended.stderr).toMatch(/npm install bullmq/);
});

describe('the server is away', () => {
  const silent = [];
  afterEach(() => {
    for (const end of silent.splice(0)) end();
  });

  /** A port that nobody listens at, or one that never answers. */
  async function portOf(kind) {
    const sockets = new Set();
    const server = net.createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address();
    const end = () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    };
    if (kind === 'silent') silent.push(end);
    else end();
    return port;
  }

  test.each([
    ['bullmq', 'redis', 'closed', 'worker of q'],
    ['bullmq', 'redis', 'silent', 'worker of q'],
    ['bullmq', 'postgres', 'closed', 'worker of q'],
  ])('%s over %s, %s: SIGTERM ends it', async (engine, scheme, kind, begun) => {
    const url = `${scheme}://127.0.0.1:${await portOf(kind)}`;
    const words = ['--queue', engine, '--name', 'q', '--connection', url];
    const args = ['worker', processorFile, ...words, '--grace', '100ms'];
    const { child, ended } = startCli(args);
    await told(child, begun);
    child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });
});
