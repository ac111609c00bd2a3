'use strict';

const { execFileSync } = require('node:child_process');

const LIB = require.resolve('../../../../lib/index.js');

const onUnix = process.platform === 'win32' ? test.skip : test;

// Another process, because facts of this one are read once.
onUnix('isolates start though the folder of their owner is gone', () => {
  const program = `
    const { mkdtempSync, rmdirSync } = require('node:fs');
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const folder = mkdtempSync(require('node:os').tmpdir() + '/sw-gone-');
    process.chdir(folder);
    rmdirSync(folder);
    (async () => {
      const pool = WorkerPool.create('gone');
      console.log(await pool.run(() => process.cwd()));
      await pool.stop();
    })();`;
  const said = execFileSync(process.execPath, ['-e', program]);
  expect(said.toString()).toBe('/\n');
});
