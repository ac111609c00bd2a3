'use strict';
// scripts/mutation/run.mjs runs tests in groups of their own, which a terminal's
// Ctrl-C does not reach: a stop of the run ends them.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { mkdtempSync, rmSync } = require('node:fs');
const { createServer } = require('node:net');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const file = path.join(__dirname, '../../../scripts/mutation/run.mjs');
const onPosix = process.platform === 'win32' ? test.skip : test;

// Lives for as long as its connection.
const CONNECT = `require('node:net').connect(process.argv[1]).resume()
  .on('close', () => process.exit())`;
// As the tests of a mutant, with a process of their own.
const TESTS = `require('node:child_process').spawn(process.execPath,
    ['-e', ${JSON.stringify(CONNECT)}, process.argv[1]]);
  ${CONNECT}`;

const programFor = (address) => `
  import { run } from ${JSON.stringify(pathToFileURL(file))};
  const args = ['-e', ${JSON.stringify(TESTS)}, ${JSON.stringify(address)}];
  await run(process.execPath, args, '.', 60).catch(({ message }) => {
    process.stdout.write(message);
  });
  // Stopped is stopped: no other tests begin.
  await run(process.execPath, args, '.', 60).catch(() => {});
`;

let folder;
let server;
let sockets;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-stop-'));
  server = createServer();
  sockets = [];
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true });
});

async function connections(count) {
  while (sockets.length < count) {
    const [socket] = await once(server, 'connection');
    sockets.push(socket.resume().on('error', () => {}));
  }
}

onPosix.each(['SIGHUP', 'SIGINT', 'SIGTERM'])(
  '%s ends the tests, and what they have started',
  async (signal) => {
    const address = path.join(folder, 'socket');
    server.listen(address);
    const program = ['--input-type=module', '-e', programFor(address)];
    const runner = spawn(process.execPath, program);
    let said = '';
    runner.stdout.on('data', (text) => {
      said += text;
    });
    const ended = once(runner, 'close');
    await connections(2);
    const gone = sockets.map((socket) => once(socket, 'close'));
    runner.kill(signal);
    await Promise.all([ended, ...gone]);
    expect(said).toBe(`stopped by ${signal}`);
    expect(sockets).toHaveLength(2);
  },
);
