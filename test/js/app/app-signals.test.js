'use strict';

const { spawn } = require('node:child_process');
const path = require('node:path');
const { Sloppy } = require('../../../lib/app/app.js');

describe('process signals', () => {
  /** Runs a script that prints `ready`, then sends it the signals. */
  function run(script, signals) {
    const child = spawn(process.execPath, ['--eval', script], {
      cwd: path.join(__dirname, '../../..'),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      output += text;
      if (text.includes('ready')) child.kill(signals[0]);
      if (text.includes('stopping') && signals[1]) child.kill(signals[1]);
    });
    return new Promise((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, output }));
    });
  }

  const app = (stop) => `
    const { Sloppy } = require('./lib/app/app.js');
    const app = Sloppy.create({ signals: ['SIGTERM', 'SIGINT'] });
    app.onShutdown(async () => { console.log('stopping'); ${stop} });
    setInterval(() => {}, 1000);`;
  const ready = "console.log('ready');";

  test('shut down once, then end the process as the signal does', async () => {
    const script = app("await null; console.log('stopped');") + ready;
    expect(await run(script, ['SIGTERM'])).toEqual({
      code: null,
      signal: 'SIGTERM',
      output: 'ready\nstopping\nstopped\n',
    });
  });

  test('a second signal ends a shutdown that takes too long', async () => {
    const script = app('await new Promise(() => {});') + ready;
    const { signal } = await run(script, ['SIGTERM', 'SIGINT']);
    expect(signal).toBe('SIGINT');
  });

  test('leave the end of the process to other listeners', async () => {
    const script = `${app('')}
      process.on('SIGTERM', () => app.shutdown().then(() => process.exit(7)));
      ${ready}`;
    const { code } = await run(script, ['SIGTERM']);
    expect(code).toBe(7);
  });

  test('are not listened to before, after, or without being asked', async () => {
    const before = process.listenerCount('SIGTERM');
    Sloppy.create();
    expect(process.listenerCount('SIGTERM')).toBe(before);
    const listening = Sloppy.create({ signals: ['SIGTERM'] });
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
    await listening.shutdown();
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
