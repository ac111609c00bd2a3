'use strict';
// The parts of the pool that jobs on threads see, and what they could take from
// it. The pool speaks with its threads on ports that no job can reach.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { receiveMessageOnPort } = require('node:worker_threads');

const { runNode } = require('../../support/run-node.js');
const { Worker, WorkerPool } = require('../../../../lib/index.js');

const folder = mkdtempSync(join(tmpdir(), 'sw-ports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pools = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) {
    await pool.stop({ drain: false, timeoutMs: 5000 });
  }
});

function createPool(options) {
  const pool = WorkerPool.create('ports', { runtime: 'thread', ...options });
  pools.push(pool);
  return pool;
}

// Each must leave the job that did it, the next one and the owner as they were.
const HARM = {
  'posts null': ({ parentPort }) => parentPort.postMessage(null),
  'posts undefined': ({ parentPort }) => parentPort.postMessage(undefined),
  'posts what looks like the pool’s own': ({ parentPort }) => {
    for (let kind = 0; kind < 12; kind += 1) {
      for (const seq of [0, 1, 2]) {
        parentPort.postMessage({ kind, seq, done: seq, status: 0, detail: 0 });
        parentPort.postMessage({ began: seq, init: 0, tookShared: 1, kind });
      }
    }
  },
  'listens and takes all listeners away': ({ parentPort }) => {
    parentPort.on('message', () => {});
    parentPort.removeAllListeners();
    parentPort.removeAllListeners('message');
  },
  'closes its port': ({ parentPort }) => parentPort.close(),
  'unrefs its port': ({ parentPort }) => parentPort.unref(),
  'closes each handle': () => {
    for (const handle of process._getActiveHandles()) handle.close?.();
  },
  'takes all listeners of the process away': () => {
    process.removeAllListeners();
    process.removeAllListeners('uncaughtException');
    for (const name of ['uncaughtException', 'unhandledRejection']) {
      for (const one of process.listeners(name)) process.off(name, one);
    }
  },
  'replaces what the realm has of Node': () => {
    globalThis.setImmediate = () => {};
    globalThis.performance.now = () => Number.NaN;
    process.exit = () => {};
    process.hrtime.bigint = () => 0n;
    Math.min = () => Number.NaN;
    Atomics.load = () => 1;
    Reflect.apply = () => {};
    MessagePort.prototype.postMessage = () => {};
  },
  'changes its workerData': (threads) => {
    threads.default.workerData = { port: null };
  },
};

describe.each(Object.entries(HARM))('a job that %s', (_name, harm) => {
  const text = `async ({ input }) => {
    const threads = await import('node:worker_threads');
    (${harm})(threads);
    await new Promise((resolve) => setTimeout(resolve, 30));
    return input;
  }`;

  test('harms no job', async () => {
    const pool = createPool({ recycleAfterJobs: 3 });
    const job = new Function(`return ${text}`)();
    expect(await pool.run(job, { input: 'its own' })).toBe('its own');
    expect(await pool.run(() => 'the next')).toBe('the next');
    const limited = pool.run(({ deadline }) => deadline.expired, {
      timeoutMs: 60_000,
    });
    expect(await limited).toBe(false);
    // Another thread runs it.
    expect(await pool.run(() => 'the last')).toBe('the last');
  });
});

test('a job sees no job of others, and nothing of the pool', async () => {
  const pool = createPool();
  const seen = await pool.run(async () => {
    const { parentPort, receiveMessageOnPort, threadId, workerData } =
      await import('node:worker_threads');
    globalThis.heard = [];
    parentPort.on('message', (value) => globalThis.heard.push(value));
    const required = process.getBuiltinModule?.('node:worker_threads');
    return {
      workerData,
      required: required?.workerData ?? null,
      received: receiveMessageOnPort(parentPort) ?? null,
      isNumbered: threadId > 0,
    };
  });
  expect(seen).toEqual({
    workerData: null,
    required: null,
    received: null,
    isNumbered: true,
  });
  await pool.run(({ input }) => input, { input: 'of somebody else' });
  const heard = pool.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return globalThis.heard;
  });
  expect(await heard).toEqual([]);
});

test('what a preloaded file has imported is null for its jobs, too', async () => {
  const text = `import { workerData } from 'node:worker_threads';
    globalThis.seen = () => workerData;`;
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const pool = createPool({ execArgv: ['--import', url] });
  const seen = await pool.run(() => globalThis.seen());
  expect(seen).toBe(null);
});

test('what a job posts is an event of the pool', async () => {
  const pool = createPool();
  const heard = [];
  const next = () => new Promise((resolve) => pool.once('message', resolve));
  pool.on('message', (value) => heard.push(value));
  const posted = next();
  await pool.run(
    async ({ emit }) => {
      const { parentPort } = await import('node:worker_threads');
      parentPort.postMessage({ done: 1, total: 10, at: new Date(0) });
      emit('heard by its own listener');
    },
    { onMessage() {} },
  );
  // A job's end comes by another port, which may be read first.
  await posted;
  const emitted = next();
  await pool.run(({ emit }) => emit('heard by nobody else'));
  await emitted;
  expect(heard).toEqual([
    { done: 1, total: 10, at: new Date(0) },
    'heard by nobody else',
  ]);
});

test('what a module posts reaches the listeners of its Worker', async () => {
  const file = join(folder, 'posts.mjs');
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
    export const post = () => parentPort.postMessage('posted');`,
  );
  const worker = await Worker.start(file, { runtime: 'thread' });
  const heard = new Promise((resolve) => worker.onMessage(resolve));
  await worker.invoke('post');
  expect(await heard).toBe('posted');
  await worker.stop();
});

test('a port that a job makes is its own', async () => {
  const pool = createPool();
  const port = await new Promise((resolve) => {
    pool.on('message', resolve);
    pool.run(async () => {
      const { MessageChannel, parentPort } = await import(
        'node:worker_threads'
      );
      const { port1, port2 } = new MessageChannel();
      port2.postMessage('through it');
      parentPort.postMessage(port1, [port1]);
    });
  });
  for (;;) {
    const received = receiveMessageOnPort(port);
    if (received !== undefined) {
      expect(received.message).toBe('through it');
      break;
    }
    await new Promise(setImmediate);
  }
  port.close();
});

describe('what nobody caught', () => {
  const late = () => {
    setTimeout(() => {
      throw new Error('late');
    }, 5);
  };
  const heardBy = (pool) =>
    new Promise((resolve) => {
      pool.once('error', (error, origin) =>
        resolve(`${origin} ${error.message}`),
      );
    });

  test.each([
    ['with the module domain', ['-r', 'domain']],
    ['with a listener of a file before', 'file'],
  ])('is told %s', async (_name, given) => {
    const file = join(folder, 'listens.cjs');
    writeFileSync(file, "process.on('uncaughtException', () => {});");
    const execArgv = given === 'file' ? ['-r', file] : given;
    const pool = createPool({ execArgv });
    const heard = heardBy(pool);
    await pool.run(late);
    expect(await heard).toBe('uncaughtException late');
  });

  test('is told with a domain that a job loads', async () => {
    const pool = createPool();
    await pool.run(async () => {
      await import('node:domain');
      const ignore = () => {};
      process.on('uncaughtException', ignore);
      process.off('uncaughtException', ignore);
    });
    const heard = heardBy(pool);
    await pool.run(late);
    expect(await heard).toBe('uncaughtException late');
  });

  test('is told after a job has taken all listeners away', async () => {
    const pool = createPool();
    await pool.run(() => {
      globalThis.mark = 'the same thread';
      process.removeAllListeners();
    });
    const heard = heardBy(pool);
    await pool.run(late);
    expect(await heard).toBe('uncaughtException late');
    expect(await pool.run(() => globalThis.mark)).toBe('the same thread');
  });

  test('is what a listener of the job takes', async () => {
    const pool = createPool();
    const errors = [];
    pool.on('error', (error) => errors.push(error));
    const took = await pool.run(
      () =>
        new Promise((resolve) => {
          process.once('uncaughtException', ({ message }) => resolve(message));
          setTimeout(() => {
            throw new Error('mine');
          });
        }),
    );
    expect(took).toBe('mine');
    expect(errors).toEqual([]);
  });
});

test('a job that ends stdout takes no output from the next', () => {
  const library = JSON.stringify(require.resolve('../../../../lib/index.js'));
  const said = runNode([
    '-e',
    `const { WorkerPool } = require(${library});
    (async () => {
      const pool = WorkerPool.create('p', { runtime: 'thread' });
      for (const how of ['end', 'destroy', 'cork', 'removeAllListeners']) {
        await pool.run(({ input }) => { process.stdout[input](); }, { input: how });
        await pool.run(({ input }) => console.log(input), { input: how });
      }
      await pool.run(() => new Promise((resolve) => {
        process.stdout.end('ended\\n', resolve);
      }));
      await pool.stop();
    })();`,
  ]);
  expect(said).toBe('end\ndestroy\ncork\nremoveAllListeners\nended\n');
});

test('a listener to the exit of a thread that throws does not keep it', async () => {
  const pool = createPool();
  const errors = [];
  pool.on('error', ({ message }) => errors.push(message));
  await pool.run(() => {
    process.on('exit', () => {
      throw new Error('at the exit');
    });
  });
  await pool.stop();
  expect(errors).toEqual(['at the exit']);
});
