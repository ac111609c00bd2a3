'use strict';
// The event `output` of a pool: what its workers print.

const { spawnSync } = require('node:child_process');

const { createPool, runtime, startWorker, stopAll } = require('./support.js');

afterEach(stopAll);

test('has the worker, the stream and the text, in order, before the result', async () => {
  const pool = createPool();
  const outputs = [];
  pool.on('output', (output) => outputs.push(output));
  const number = await pool.run(({ worker }) => {
    console.log('a line', { of: 2 });
    console.error('an error');
    process.stdout.write('bare ж');
    process.stderr.write(Buffer.from('bytes'));
    return worker.number;
  });
  expect(outputs).toEqual([
    { worker: number, stream: 'stdout', text: 'a line { of: 2 }\n' },
    { worker: number, stream: 'stderr', text: 'an error\n' },
    { worker: number, stream: 'stdout', text: 'bare ж' },
    { worker: number, stream: 'stderr', text: 'bytes' },
  ]);
  expect(Object.isFrozen(outputs[0])).toBe(true);
});

test('a callback of write is called', async () => {
  const pool = createPool();
  pool.on('output', () => {});
  const write = () =>
    new Promise((resolve) => {
      process.stdout.write('x', () => resolve('done'));
    });
  expect(await pool.run(write)).toBe('done');
});

test('a text of any size, and what payloads may not hold', async () => {
  const pool = createPool({ maxResultBytes: 100 });
  const texts = [];
  pool.on('output', ({ text }) => texts.push(text));
  await pool.run(() => {
    process.stdout.write('x'.repeat(300_000));
  });
  expect(texts.join('')).toBe('x'.repeat(300_000));
});

test('what nobody caught is printed there too', async () => {
  const pool = createPool();
  const texts = [];
  const heard = new Promise((resolve) => {
    pool.on('output', ({ stream, text }) => {
      texts.push([stream, text]);
      resolve();
    });
  });
  await pool.run(() => {
    setTimeout(() => {
      throw new Error('late');
    });
  });
  await heard;
  expect(texts[0][0]).toBe('stderr');
  expect(texts[0][1]).toContain('Uncaught in worker: Error: late');
});

// The streams of a process of its own can be read.
test('without a listener, and after the last has gone, it is printed', () => {
  const library = JSON.stringify(require.resolve('../../../lib/index.js'));
  const program = `
    const { WorkerPool } = require(${library});
    const pool = WorkerPool.create('p', { runtime: '${runtime}' });
    const say = ({ input }) => console.log(input);
    const wait = () => new Promise((resolve) => setTimeout(resolve, 20));
    (async () => {
      await pool.run(say, { input: 'before' });
      const heard = [];
      const listen = ({ text }) => heard.push(text);
      pool.on('output', listen);
      // The worker hears of it when it yields.
      await pool.run(wait);
      await pool.run(say, { input: 'heard' });
      pool.off('output', listen);
      await pool.run(wait);
      await pool.run(say, { input: 'after' });
      pool.once('output', listen);
      await pool.run(wait);
      await pool.run(say, { input: 'once' });
      await pool.run(wait);
      await pool.run(say, { input: 'last' });
      await pool.stop();
      console.log(JSON.stringify(heard));
    })();`;
  const { stderr, stdout } = spawnSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n')).toEqual([
    'before',
    'after',
    'last',
    JSON.stringify(['heard\n', 'once\n']),
    '',
  ]);
});

test('a listener that throws ends nothing', async () => {
  const pool = createPool();
  pool.on('output', () => {
    throw new Error('of the listener');
  });
  const texts = [];
  pool.on('output', ({ text }) => texts.push(text));
  const says = () => {
    console.log('x');
    return 1;
  };
  expect(await pool.run(says)).toBe(1);
  expect(texts).toEqual(['x\n']);
});

test('a Worker prints as before', async () => {
  const worker = await startWorker('export const f = () => 1;');
  expect(await worker.invoke('f')).toBe(1);
});
