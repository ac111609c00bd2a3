'use strict';
// A worker reads text from shared memory that another one changes meanwhile:
// V8 reads UTF-8 twice, and must find the same bytes both times. On threads it
// is Node that reads (SECURITY.md).
//   node core-shared-bytes.js [milliseconds]

const { WorkerPool, assert, pass } = require('./support/check.js');

const ms = Number(process.argv[2] ?? 1500);

// Four bytes for two units of text, then as many units as bytes.
function change({ input: { memory, ms } }) {
  const view = new Uint8Array(memory);
  const long = new Uint8Array(view.length);
  for (let i = 0; i < view.length; i++) long[i] = [240, 159, 152, 128][i & 3];
  const short = new Uint8Array(view.length).fill(97);
  for (const end = Date.now() + ms; Date.now() < end; ) {
    view.set(long);
    view.set(short);
  }
}

const readers = {
  decoder({ input: { memory, ms } }) {
    const view = new Uint8Array(memory);
    const decoder = new TextDecoder();
    let read = 0;
    for (const end = Date.now() + ms; Date.now() < end; ) {
      read += decoder.decode(view).length;
    }
    return read;
  },
  buffer({ input: { memory, ms } }) {
    const view = Buffer.from(memory);
    let read = 0;
    for (const end = Date.now() + ms; Date.now() < end; ) {
      for (const encoding of ['utf8', 'latin1', 'hex', 'base64', 'utf16le']) {
        read += view.toString(encoding).length;
      }
      read += view.indexOf('aaab') + view.compare(view);
    }
    return read;
  },
};

async function main() {
  const pool = WorkerPool.create('bytes', { workers: 2, payload: 'clone' });
  for (const [name, read] of Object.entries(readers)) {
    const input = { memory: new SharedArrayBuffer(1 << 16), ms };
    const changed = pool.run(change, { input });
    assert.ok((await pool.run(read, { input })) > 0, name);
    await changed;
  }
  await pool.stop();
  pass();
}

main();
