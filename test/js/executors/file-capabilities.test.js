'use strict';
// A node whose file has capabilities (setcap), run by an ordinary user: the system
// preloads nothing into it. Only root can make one.

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const LIB = require.resolve('../../../lib/index.js');
const UNAVAILABLE = 'SLOPPY_E_WORKERS_FEATURE_UNAVAILABLE';
const NOBODY = 65534;

const run = (node, program) =>
  execFileSync(node, ['-e', program], {
    cwd: '/',
    gid: NOBODY,
    stdio: 'pipe',
    uid: NOBODY,
  }).toString();

let folder;

/** @returns {object} `{ node }`, or `{ reason }` where none can be made */
function nodeWithCapabilities() {
  if (process.platform !== 'linux' || process.getuid() !== 0) {
    return { reason: 'not root on Linux' };
  }
  try {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'capabilities-'));
    fs.chmodSync(folder, 0o755);
    const node = path.join(folder, 'node');
    fs.copyFileSync(process.execPath, node);
    execFileSync('setcap', ['cap_net_bind_service=ep', node]);
    // Its user may not reach this folder.
    run(node, `require(${JSON.stringify(LIB)})`);
    return { node };
  } catch (error) {
    return { reason: error.message.split('\n')[0] };
  }
}

const { node, reason } = nodeWithCapabilities();
afterAll(() => {
  if (folder !== undefined) fs.rmSync(folder, { recursive: true });
});

// The name of a skipped test tells why.
const title = reason === undefined ? '' : ` (skipped: ${reason})`;
const describeThere = reason === undefined ? describe : describe.skip;

const endsOf = (options) =>
  JSON.parse(
    run(
      node,
      `const { WorkerPool } = require(${JSON.stringify(LIB)});
      const options = ${JSON.stringify(options)};
      (async () => {
        const pool = WorkerPool.create('p', options);
        const ends = [];
        const end = async (promise) =>
          ends.push(await promise.catch(({ code }) => code));
        await end(pool.run(() => 1));
        if (options.sandbox) await end(pool.sandbox());
        await end(pool.run(() => 2));
        await pool.stop();
        console.log(JSON.stringify(ends));
      })();`,
    ),
  );

describeThere(`a node with file capabilities${title}`, () => {
  test('has no sandbox', () => {
    const ends = endsOf({ sandbox: true, runTimeoutMs: 60_000 });
    expect(ends).toEqual([UNAVAILABLE, UNAVAILABLE, UNAVAILABLE]);
  });

  test('has processes', () => {
    expect(endsOf({ runtime: 'process' })).toEqual([1, 2]);
  });
});
