'use strict';

const { run } = require('./documented.js');

// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

// Programs of the kinds that "Worker Pool Architecture" of web-csv-toolbox
// 0.14 shows.
const POOL_OF_FOUR = 'using pool = new ReusableWorkerPool({ maxWorkers: 4 });';
const BY_DEFAULT = `
  const records = await parseString(csv, { engine: { worker: true } });
`;
const BY_POOL = `
  const engine = { worker: true, workerPool: pool };
  const records = await read(csv, { engine });
`;
const doc = {
  'terminated during creation': `
    const pool = new ReusableWorkerPool({ maxWorkers: 2 });
    const creation = pool.getWorker();
    pool.terminate();
    const untracked = await creation;
  `,
  'two URLs': `
    const pool = new ReusableWorkerPool({ maxWorkers: 2 });
    const worker1 = await pool.getWorker();
    const other = new URL('./custom-worker.js', import.meta.url);
    const worker2 = await pool.getWorker(other);
  `,
  server: `
    ${POOL_OF_FOUR}
    app.post('/parse', async (request) => {
      const text = await request.req.text();
      const engine = { worker: true, workerPool: pool };
      const found = [];
      for await (const row of parseString(text, { engine })) found.push(row);
      return request.json(found);
    });
  `,
  'fresh worker per request': `
    app.post('/parse', async (request) =>
      request.json(await read(csv, { engine: { worker: true } })));
  `,
  batch: `
    ${POOL_OF_FOUR}
    const engine = { worker: true, workerPool: pool };
    const answers = await Promise.all(
      files.map((text) => read(text, { engine })),
    );
  `,
  CLI: `#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { parseString } from 'web-csv-toolbox';
const text = await readFile('data.csv', 'utf8');
const rows = [];
for await (const row of parseString(text, { engine: { worker: true } })) {
  rows.push(row);
}
console.log(rows);
`,
  'by hand': `
    const pool = new ReusableWorkerPool({ maxWorkers: 1 });
    ${BY_POOL}
    pool.terminate();
  `,
  'by using': `${POOL_OF_FOUR} ${BY_POOL}`,
  'of a library': `
    const own = new TransientWorkerPool();
    const getWorker = async (url?: string | URL) => own.getWorker(url);
    const releaseWorker = (worker: Worker) => own.releaseWorker(worker);
  `,
  'session with a pool': `
    using session = await WorkerSession.create({ workerPool: pool });
  `,
  'session without a pool': 'using session = await WorkerSession.create();',
};

// The library starts workers of its own where it is given no pool. Ours come by
// a default pool, as the page has it for the library's inside.
const CSV = `
  import { TransientWorkerPool } from 'sloppy-workers/pools';
  const library = await import('web-csv-toolbox');
  export const counts = { started: 0, released: 0 };
  class DefaultPool extends TransientWorkerPool {
    getWorker(url) {
      counts.started++;
      return super.getWorker(url);
    }
    releaseWorker(worker) {
      counts.released++;
      super.releaseWorker(worker);
    }
  }
  const workerPool = new DefaultPool();
  export const parseString = (csv, { engine }) =>
    library.parseString(csv, { engine: { workerPool, ...engine } });
`;
const BEFORE = `
  import assert from 'node:assert';
  import * as pools from 'sloppy-workers/pools';
  import { counts, parseString } from './csv.mjs';
  const { ReusableWorkerPool, TransientWorkerPool, WorkerSession } = pools;
  const csv = 'a,b\\n1,2\\n3,4';
  const parsed = [{ a: '1', b: '2' }, { a: '3', b: '4' }];
  const all = async (records) => {
    const list = [];
    for await (const record of records) list.push(record);
    return list;
  };
  const read = (...args) => all(parseString(...args));
`;
const FILES = {
  'csv.mjs': CSV,
  'custom-worker.js': "require('node:worker_threads');",
  'data.csv': 'a,b\n1,2\n3,4',
};

/** A fragment between two others, of one module. */
async function expectToPass(...parts) {
  const program = [BEFORE, ...parts, "console.log('pass');"].join('\n');
  const results = await run({ ...FILES, 'main.ts': program }, 'main.ts');
  expect(results).toEqual({ code: 0, lines: ['pass'], stderr: '' });
}

test('without clean-up the process ends, or never starts a worker', async () => {
  const read = 'assert.deepStrictEqual(await all(records), parsed);';
  const program = [BEFORE, BY_DEFAULT, "console.log('Done');", read].join('\n');
  const results = await run({ ...FILES, 'main.ts': program }, 'main.ts');
  expect(results).toEqual({ code: 0, lines: ['Done'], stderr: '' });
});

test('ended while a worker is created', () =>
  expectToPass(
    'const stale = await (async () => {',
    doc['terminated during creation'],
    '})().catch((error) => error);',
    "const why = 'Worker pool was disposed during worker creation';",
    'assert.strictEqual(stale.message, why);',
  ));

test('two URLs, two workers', () =>
  expectToPass(
    doc['two URLs'],
    'assert.notStrictEqual(worker1, worker2);',
    'assert.deepStrictEqual([pool.size, pool.isFull()], [2, true]);',
    'assert.strictEqual(await pool.getWorker(), worker1);',
    'pool.terminate();',
  ));

// Hono itself. The module stays open as long as the server: at its end `using`
// ends the pool.
const SERVER = `
  import { serve } from '@hono/node-server';
  import { Hono } from 'hono';
  const app = new Hono();
`;
const REQUESTS = `
  const server = serve({ fetch: app.fetch, port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const url = 'http://localhost:' + server.address().port + '/parse';
  const parse = async (body) =>
    (await fetch(url, { method: 'POST', body })).json();
`;

test('the server parses what many send at once, by four workers', () =>
  expectToPass(
    SERVER,
    doc.server,
    REQUESTS,
    `const rows = (no) => Array.from({ length: 200 }, (_, i) => no + ',' + i);
     const answers = await Promise.all(Array.from({ length: 12 }, (_, no) =>
       parse(['no,i', ...rows(no)].join('\\n'))));
     for (const [no, records] of answers.entries()) {
       assert.strictEqual(records.length, 200);
       for (const [i, record] of records.entries()) {
         assert.deepStrictEqual(record, { no: String(no), i: String(i) });
       }
     }
     assert.strictEqual(pool.size, 4);
     assert.strictEqual(counts.started, 0);
     server.close();`,
  ));

test('a fresh worker for each request', () =>
  expectToPass(
    SERVER,
    doc['fresh worker per request'],
    REQUESTS,
    `for (let i = 1; i <= 3; i++) {
       assert.deepStrictEqual(await parse(csv), parsed);
       assert.deepStrictEqual(counts, { started: i, released: i });
     }
     server.close();`,
  ));

test('a batch', () =>
  expectToPass(
    "const files = Array.from({ length: 10 }, (_, no) => 'no\\n' + no);",
    doc.batch,
    'const expected = files.map((_, no) => [{ no: String(no) }]);',
    'assert.deepStrictEqual(answers, expected);',
    'assert.deepStrictEqual([pool.size, counts.started], [4, 0]);',
  ));

test('the command line', async () => {
  const files = { ...FILES, 'cli.mjs': doc.CLI };
  const { code, lines, stderr } = await run(files, 'cli.mjs');
  expect([code, stderr]).toEqual([0, '']);
  expect(lines).toEqual(["[ { a: '1', b: '2' }, { a: '3', b: '4' } ]"]);
});

test('without a pool', () =>
  expectToPass(
    BY_DEFAULT,
    'assert.deepStrictEqual(await all(records), parsed);',
    'assert.deepStrictEqual(counts, { started: 1, released: 1 });',
  ));

test.each(['by hand', 'by using'])('a pool that is ended %s', (name) =>
  expectToPass(
    doc[name],
    'assert.deepStrictEqual(records, parsed);',
    'assert.strictEqual(counts.started, 0);',
  ),
);

test('reuse', () =>
  expectToPass(
    POOL_OF_FOUR,
    `const workers = new Set();
     for (let i = 0; i < 12; i++) workers.add(await pool.getWorker());
     assert.deepStrictEqual([workers.size, pool.size], [4, 4]);`,
  ));

test('the default pool of a library', () =>
  expectToPass(
    doc['of a library'],
    `const both = [await getWorker(), await getWorker()];
     assert.notStrictEqual(both[0], both[1]);
     both.forEach(releaseWorker);`,
  ));

test('sessions', () =>
  expectToPass(
    'const pool = new ReusableWorkerPool({ maxWorkers: 1 });',
    'let worker;',
    `{ ${doc['session with a pool']}
       worker = session.getWorker(); }`,
    'assert.strictEqual(await pool.getWorker(), worker);',
    'pool.terminate();',
    `{ ${doc['session without a pool']}
       worker = session.getWorker(); }`,
    "await new Promise((resolve) => worker.once('exit', resolve));",
  ));
