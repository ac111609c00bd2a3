'use strict';
// The process exits while workers execute init and dispose that never end.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { WorkerPool } = require('../../lib/index.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-dispose-'));
const file = join(folder, 'module.mjs');
writeFileSync(
  file,
  `export function init(data) {
    if (data === 'init') { sloppy.host.begun(); for (;;); }
  }
  export async function dispose() {
    await sloppy.host.begun();
    for (;;);
  }`,
);

function begin(data) {
  return new Promise((resolve) => {
    const pool = WorkerPool.create(data, {
      init: { module: file, data },
      host: { begun: resolve },
    });
    pool
      .run(() => 1)
      .then(
        () => pool.stop({ timeoutMs: 1e6 }),
        () => {},
      );
  });
}

Promise.all([begin('init'), begin('dispose')]).then(() => {
  rmSync(folder, { recursive: true });
  console.log('pass');
  process.exit(0);
});
