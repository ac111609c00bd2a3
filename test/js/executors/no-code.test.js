'use strict';
// Workers that make no code out of texts: frequent shapes are read without.

const { deepStrictEqual } = require('node:assert');
const { writeFileSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { WorkerPool } = require('../../../lib/index.js');

const folder = mkdtempSync(join(tmpdir(), 'no-code-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ROWS = Array.from({ length: 600 }, (_, id) => ({ id, name: `n${id}` }));

test('values and shared values with a process that may not', async () => {
  // Sent functions are compiled from texts, so a module's are called.
  const module = join(folder, 'module.mjs');
  writeFileSync(
    module,
    `export const same = (input) => input;
     export const shared = (_input, { shared }) => shared.rows;
     export function mayCompile() {
       try { return Boolean(new Function('')); } catch { return false; }
     }`,
  );
  const pool = WorkerPool.create('no code', {
    runtime: 'process',
    module,
    execArgv: ['--disallow-code-generation-from-strings'],
  });
  try {
    expect(await pool.invoke('mayCompile')).toBe(false);
    for (let times = 0; times < 3; times += 1) {
      deepStrictEqual(await pool.invoke('same', ROWS), ROWS);
    }
    pool.share('rows', ROWS);
    deepStrictEqual(await pool.invoke('shared'), ROWS);
  } finally {
    await pool.stop();
  }
});
