// expect: exit 0
// limit: 120 s
// Programs as the documentations of the other pools show them: a folder with
// relative modules, run from that folder.

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const library = (name) =>
  JSON.stringify(fileURLToPath(new URL(`../../lib/${name}`, import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'brief-'));
const write = (name, text) => writeFileSync(join(folder, name), text);
const run = (name) =>
  execFileSync(process.execPath, [name], { cwd: folder }).toString();

try {
  write(
    'myMessage.mjs',
    `let handler = function(obj, finished) {
      finished({ processing: 'done', data: obj.data, foo: this.foo,
        bar: this.bar && this.bar() });
    };
    export {handler};`,
  );
  write(
    'myStartupModule.mjs',
    `let onStartupModule = function(props) {
      props = props || {};
      this.foo = props.foo;
      this.bar = props.bar;
      this.on('stop', function() { console.log('about to be shut down'); });
    };
    export {onStartupModule};`,
  );
  write(
    'app.mjs',
    `import {QOper8} from ${library('qoper8.mjs')};
    let qoper8 = new QOper8({
      handlersByMessageType: new Map([
        ['myMessage', {module: './myMessage.mjs'}]
      ]),
      onStartup: {
        module: './myStartupModule.mjs',
        arguments: { foo: 'foo 123', bar: function() { return 'bar 456'; } }
      },
      workerInactivityLimit: 2
    });
    let res = await qoper8.send({ type: 'myMessage', data: { hello: 'world' } });
    console.log(JSON.stringify(res));
    await qoper8.stop();`,
  );
  write(
    'benchmark.mjs',
    `import {benchmark} from ${library('qoper8/benchmark.mjs')};
    let entries = new Map();
    let QBackup = {
      add: function(id, requestObject) { entries.set(id, requestObject); },
      delete: function(id) { entries.delete(id); }
    };
    process.on('exit', () => console.log('left ' + entries.size));
    benchmark({ poolSize: 3, maxMessages: 5000, blockLength: 1000, delay: 5, QBackup: QBackup });`,
  );

  write(
    'text.mjs',
    `import {QOper8} from ${library('qoper8.mjs')};
    let handlerFn = \`
      finished({ processing: 'done', data: message.data });
    \`;
    let qoper8 = new QOper8({
      handlersByMessageType: new Map([
        ['myMessage', {text: handlerFn}],
        ['quoted', {text: 'handlerFn'}]
      ]),
      workerInactivityLimit: 2
    });
    let data = { hello: 'world' };
    console.log(JSON.stringify(await qoper8.send({ type: 'myMessage', data })));
    let { error } = await qoper8.send({ type: 'quoted', data });
    console.log(error);`,
  );
  write(
    'intermediate.mjs',
    `import {QOper8} from ${library('qoper8.mjs')};
    let qoper8 = new QOper8({
      handlersByMessageType: new Map([['test', {text: \`
        this.postMessage({ type: 'custom', data: { foo: 'bar' } });
        finished({ ok: true });
      \`}]])
    });
    qoper8.on('replyReceived', function(res) {
      if (res.reply.type === 'custom') console.log(res.reply.data.foo);
    });
    qoper8.message({ type: 'test' }, function(responseObj) {
      console.log(responseObj.ok);
    });`,
  );
  write(
    'handlers.js',
    `module.exports = {
      add: ({ a, b }) => a + b,
      multiply: async ({ a, b }) => a * b,
    };`,
  );
  write(
    'worker.js',
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', ({ id, data }) => {
      if (data.fail) {
        const error = { message: 'no', data };
        parentPort.postMessage({ callbackId: id, error });
      } else parentPort.postMessage({ callbackId: id, result: data.x * 2 });
    });`,
  );
  write(
    'contracts.js',
    `const path = require('node:path');
    const { WorkerPool } = require(${library('message-pool.js')});
    const { Scheduler } = require(${library('scheduler.js')});
    const { CountingSemaphore } = require(${library('semaphore.js')});
    (async () => {
      const scheduler = new Scheduler(2, path.resolve(__dirname, 'handlers.js'));
      scheduler.start();
      const sum = await scheduler.runTask('add', { a: 2, b: 3 });
      const product = await scheduler.runTask('multiply', { a: 2, b: 3 });
      const unknown = await scheduler.runTask('x').catch((e) => e.message);
      await scheduler.stop();
      const pool = new WorkerPool(2, path.resolve(__dirname, 'worker.js'), { foo: 'bar' });
      const doubled = await pool.submit({ x: 21 });
      const failed = await pool.submit({ fail: 1 }).catch((error) => error);
      const sem = new CountingSemaphore(3);
      await sem.acquire();
      try { await pool.wait(); } finally { sem.release(); }
      const left = await pool.terminate();
      console.log(JSON.stringify([sum, product, unknown, doubled, failed, left]));
    })();`,
  );
  write(
    'csv-worker.mjs',
    `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ id, type, data }) => {
      if (type === 'abort') return;
      const [header, ...rows] = data.split('\\n').map((line) => line.split(','));
      for (const row of rows) {
        const record = Object.fromEntries(header.map((key, i) => [key, row[i]]));
        parentPort.postMessage({ id, type: 'record', record });
      }
      parentPort.postMessage({ id, type: 'done' });
    });`,
  );
  // \`using\` as a compiler writes it: not all Nodes here have the syntax.
  write(
    'pools.mjs',
    `import { ReusableWorkerPool, WorkerSession } from ${library('pools.mjs')};
    const workerURL = new URL('./csv-worker.mjs', import.meta.url);
    async function* parseString(data, { workerPool }) {
      const session = await WorkerSession.create({ workerURL, workerPool });
      try {
        const worker = session.getWorker();
        const id = session.getNextRequestId();
        const queue = [];
        let wake;
        worker.addEventListener('message', ({ data }) => {
          if (data.id === id) { queue.push(data); wake?.(); }
        });
        worker.postMessage({ id, type: 'parse', data });
        for (;;) {
          while (queue.length === 0) await new Promise((r) => { wake = r; });
          const { type, record } = queue.shift();
          if (type === 'done') return;
          yield record;
        }
      } finally {
        session[Symbol.dispose]();
      }
    }
    const files = ['a,b\\n1,2', 'a,b\\n3,4\\n5,6', 'a,b\\n7,8'];
    const all = async (file, options) => {
      const records = [];
      for await (const record of parseString(file, options)) records.push(record);
      return records;
    };
    const workerPool = new ReusableWorkerPool({ maxWorkers: 2 });
    try {
      const parsed = await Promise.all(files.map((file) => all(file, { workerPool })));
      console.log(JSON.stringify([parsed.flat().length, workerPool.size, workerPool.isFull()]));
    } finally {
      workerPool[Symbol.dispose]();
    }
    // No pool is named: nothing to clean up, and the process ends.
    console.log(JSON.stringify(await all(files[0], {})));`,
  );

  const [answer, farewell] = run('app.mjs').trim().split('\n');
  assert.deepStrictEqual(JSON.parse(answer), {
    processing: 'done',
    data: { hello: 'world' },
    foo: 'foo 123',
    bar: 'bar 456',
    qoper8: { finished: true },
  });
  assert.strictEqual(farewell, 'about to be shut down');

  const [text, slip] = run('text.mjs').trim().split('\n');
  assert.deepStrictEqual(JSON.parse(text), {
    processing: 'done',
    data: { hello: 'world' },
    qoper8: { finished: true },
  });
  assert.strictEqual(slip, 'Error running Handler Method for type quoted');

  assert.strictEqual(run('intermediate.mjs'), 'bar\ntrue\n');

  assert.deepStrictEqual(JSON.parse(run('contracts.js')), [
    5,
    6,
    'Task x failed: Unknown task type "x"',
    42,
    { message: 'no', data: { fail: 1 } },
    0,
  ]);

  const [pooled, alone] = run('pools.mjs').trim().split('\n');
  assert.deepStrictEqual(JSON.parse(pooled), [4, 2, true]);
  assert.deepStrictEqual(JSON.parse(alone), [{ a: '1', b: '2' }]);

  const report = run('benchmark.mjs');
  assert.match(report, /^Block no: 1 \(0\): Queue exhausted$/m);
  assert.match(report, /^Completed sending messages$/m);
  assert.match(report, /^5000 messages: [\d.]+ sec$/m);
  assert.match(report, /^Processing rate: [\d.]+ message\/sec$/m);
  const handled = [...report.matchAll(/^Worker Thread \d: (\d+) messages/gm)];
  assert.strictEqual(handled.length, 3);
  const sum = handled.reduce((total, [, count]) => total + Number(count), 0);
  assert.strictEqual(sum, 5000);
  assert.match(report, /^left 0$/m);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log('pass');
