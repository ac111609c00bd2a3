'use strict';
// A process of a pool ends when nobody is at the other end of its socket, or says
// there what it cannot read, also where neither the addon nor a thread watches its
// owner yet. Here a test is that owner.

const { spawn } = require('node:child_process');
const { once } = require('node:events');
const { closeSync, readSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const {
  makeEnds,
} = require('../../../../lib/executors/process/socket-ends.js');
const { folderWith, removeFolders } = require('../../modules/support.js');
const { testOnLinux } = require('./support.js');

const children = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(removeFolders);

const MAIN = require.resolve(
  '../../../../lib/executors/process/process-main.js',
);
// The header alone: a process says so first.
const ONLINE_BYTES = 16;

/** Resolves when as many bytes have come. */
async function receive(fd, wanted) {
  const bytes = Buffer.alloc(wanted);
  for (let at = 0; at < wanted; ) {
    try {
      at += readSync(fd, bytes, { offset: at });
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

/** A process that would live for ever, and our end of its socket. */
function start() {
  const folder = folderWith({ 'stays.cjs': 'setInterval(() => {}, 1000);' });
  const { ours, theirs } = makeEnds();
  const args = ['--require', join(folder, 'stays.cjs'), MAIN];
  const stdio = ['ignore', 'inherit', 'pipe', theirs];
  const child = spawn(process.execPath, args, { stdio });
  closeSync(theirs);
  children.push(child);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, errors }));
  return { ended, ours };
}

testOnLinux('the other end closes', async () => {
  const { ended, ours } = start();
  await receive(ours, ONLINE_BYTES);
  closeSync(ours);
  expect(await ended).toEqual({ code: 0, errors: '' });
});

testOnLinux('the other end closes with words in it, which fails', async () => {
  const { ended, ours } = start();
  await receive(ours, 1);
  closeSync(ours);
  expect(await ended).toEqual({ code: 0, errors: '' });
});

testOnLinux('what it cannot read comes before its start', async () => {
  const { ended, ours } = start();
  writeSync(ours, Buffer.alloc(64, 255));
  expect(await ended).toEqual({ code: 1, errors: '' });
  closeSync(ours);
});
