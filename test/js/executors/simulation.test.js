'use strict';
// Some worlds of test/sim-js; CI's own step runs thousands.

const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const ROOT = join(__dirname, '..', '..', '..');
const MAIN = join(ROOT, 'test', 'sim-js', 'main.js');

function simulate(...args) {
  const ran = spawnSync(process.execPath, [MAIN, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return { status: ran.status, text: ran.stdout + ran.stderr };
}

test('hundreds of worlds of each kind keep what must hold', () => {
  const { status, text } = simulate('--worlds', '300');
  expect(text).toMatch(/queue: 300 worlds, \d+ steps, 0 failed/);
  expect(text).toMatch(/isolate: 300 worlds, \d+ steps, 0 failed/);
  expect(text).toMatch(/thread: 300 worlds, \d+ steps, 0 failed/);
  expect(status).toBe(0);
});

test('a seed has the same steps each time', () => {
  // How long it took is left out.
  const steps = () =>
    simulate('--kind', 'isolate', '--replay', '2171').text.replace(
      /[\d.]+ s\n$/,
      '',
    );
  const first = steps();
  expect(first.split('\n').length).toBeGreaterThan(20);
  expect(steps()).toBe(first);
});
