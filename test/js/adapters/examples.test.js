'use strict';

const { execFile, spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

const EXAMPLES = path.resolve(__dirname, '../../../examples');

/** Runs an example in its folder. */
function run(folder, file, ...args) {
  const options = { cwd: path.join(EXAMPLES, folder), env: process.env };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [file, ...args],
      options,
      (err, stdout, stderr) =>
        resolve({ end: err?.signal ?? err?.code ?? 0, stdout, stderr }),
    );
  });
}

test('qoper8', async () => {
  const { end, stdout, stderr } = await run('qoper8', 'app.mjs');
  expect([end, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/Message processing done!/);
  expect(stdout).toMatch(/text: '> hello'/);
  expect(stdout).toMatch(/intermediate message \{ step: 1 \}/);
  expect(stdout).toMatch(/No handler defined for messages of type unknown/);
  expect(stdout).toMatch(/worker 0 is about to end/);
});

test('scheduler', async () => {
  const { end, stdout, stderr } = await run('scheduler', 'app.mjs');
  expect([end, stderr]).toEqual([0, '']);
  expect(stdout.split('\n')).toEqual([
    '5',
    '[ 1, 4, 9, 16, 25, 36 ]',
    'Task fail failed: on purpose',
    'Task nonexistent failed: Unknown task type "nonexistent"',
    '',
  ]);
});

test('pools', async () => {
  const { end, stdout, stderr } = await run('pools', 'app.mjs');
  expect([end, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/workers made: 2, full: true/);
  expect(stdout).toMatch(/\[ 'one', 'shot' \]/);
});

// The server of Debian's redis-server package, where it is installed.
const redis = (process.env.PATH ?? '')
  .split(path.delimiter)
  .map((folder) => path.join(folder, 'redis-server'))
  .find((file) => fs.existsSync(file));

(redis ? test : test.skip)(
  'redis-backup, over a crash in the middle of 10 000 messages',
  async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'redis-'));
    const { server, port } = await startRedis(dir);
    try {
      const url = `redis://127.0.0.1:${port}`;
      const example = ['qoper8', 'redis-backup.mjs', url];
      const crashed = await run(...example, '10000', 'crash');
      expect(crashed.end).toBe('SIGKILL');
      const deleted = Number(/deleted (\d+) of 10000/.exec(crashed.stdout)[1]);
      expect(deleted).toBeLessThan(10_000);
      const next = await run(...example, '100');
      expect([next.end, next.stderr]).toEqual([0, '']);
      const left = Number(/run 1 left (\d+) messages/.exec(next.stdout)[1]);
      // None is lost; what was deleted may not have got there.
      expect(left).toBeGreaterThanOrEqual(10_000 - deleted);
      expect(left).toBeLessThanOrEqual(10_000);
      expect(next.stdout).toMatch(`answered ${left + 100}\nleft 0\n`);
    } finally {
      server.kill();
      fs.rmSync(dir, { recursive: true, force: true });
    }
  },
);

// Somebody else may take the port before the server does.
async function startRedis(dir) {
  for (;;) {
    const port = await freePort();
    const args = ['--port', String(port), '--dir', dir, '--save', ''];
    const server = spawn(redis, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    const isUp = await new Promise((resolve) => {
      server.once('close', () => resolve(false));
      server.stdout.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (/Ready to accept connections/.test(output)) resolve(true);
      });
    });
    if (isUp) return { server, port };
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
