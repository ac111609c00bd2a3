'use strict';
// Errors that nobody in a worker catches: never silent, never the end of the
// process, never another job's failure.

const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const {
  createPool,
  moduleFile,
  rejection,
  startWorker,
  stopAll,
  testOnIsolates,
} = require('./support.js');

afterEach(stopAll);

const root = join(__dirname, '../../..');

/** The stderr of a job and its pool, in a process of their own. */
function stderrOf(job, before = '') {
  const script = `
    const { WorkerPool } = require('./lib/index.js');
    const pool = WorkerPool.create('pool');
    ${before}
    pool.run(${job}).then(
      (value) => console.log('resolved', value),
      (error) => console.log('rejected', error.code),
    ).then(() => pool.run(() => 1)).then(() => pool.stop());`;
  const ran = spawnSync(process.execPath, ['-e', script], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(ran.status).toBe(0);
  return { out: ran.stdout.trim(), err: ran.stderr };
}

/** A pool, and what its `error` event has told so far. */
function listeningPool(options) {
  const pool = createPool(options);
  const heard = [];
  pool.on('error', (error, origin) => heard.push([error, origin]));
  return { pool, heard };
}

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe('without a listener', () => {
  test.each([
    [
      'of a function that returns',
      () => void Promise.reject(new Error('lost')),
    ],
    [
      'of an async function',
      async () => void Promise.reject(new Error('lost')),
    ],
    ['of an import', () => void import('./lost.mjs')],
  ])('a rejection %s is printed, and its job resolves', (_name, job) => {
    const { out, err } = stderrOf(String(job));
    expect(out).toBe('resolved undefined');
    expect(err).toMatch(/^Unhandled rejection in worker: Error: .*lost/);
  });

  test('a rejection left by a job that throws is printed', () => {
    const { out, err } = stderrOf(
      "() => { Promise.reject(new Error('lost')); throw new Error('told'); }",
    );
    expect(out).toBe('rejected SLOPPY_E_WORK_JOB_FAILED');
    expect(err).toContain('Error: lost');
    expect(err).not.toContain('told');
  });

  test('an error in a timer is printed', () => {
    const { out, err } = stderrOf(
      "() => new Promise((resolve) => { setTimeout(() => { throw 'lost'; }); setTimeout(resolve, 20, 2); })",
    );
    expect(out).toBe('resolved 2');
    expect(err).toBe('Uncaught in worker: lost\n');
  });

  test('what is caught in the same turn is not printed', () => {
    const { err } = stderrOf(
      'async () => { const late = Promise.reject(1); await null; await late.catch(() => {}); }',
    );
    expect(err).toBe('');
  });

  test('a job that rejects is not printed as well', () => {
    const { err } = stderrOf('async () => { throw new Error(1); }');
    expect(err).toBe('');
  });
});

test('a listener gets the error itself, and stderr nothing', () => {
  const { out, err } = stderrOf(
    '() => void Promise.reject(new RangeError("lost"))',
    `pool.on('error', (error, origin) =>
      console.log(error instanceof RangeError, error.message, origin));`,
  );
  expect(err).toBe('');
  expect(out).toContain('true lost unhandledRejection');
});

test('errors come with their class, properties and cause', async () => {
  const { pool, heard } = listeningPool();
  await pool.run(() => {
    queueMicrotask(() => {
      const cause = new SyntaxError('inner');
      throw Object.assign(new TypeError('outer', { cause }), { code: 'E' });
    });
    Promise.reject({ plain: 1 });
    reportError('text');
  });
  await until(() => heard.length === 3);
  const [[text], [outer, origin], plain] = heard;
  expect(text).toBe('text');
  expect(outer).toBeInstanceOf(TypeError);
  expect(outer).toMatchObject({ message: 'outer', code: 'E' });
  expect(outer.cause).toBeInstanceOf(SyntaxError);
  expect(origin).toBe('uncaughtException');
  expect(plain).toEqual([{ plain: 1 }, 'unhandledRejection']);
});

testOnIsolates('a job that never settles says what nobody caught', async () => {
  const { pool, heard } = listeningPool();
  const job = () =>
    new Promise(() => {
      setTimeout(() => {
        throw new RangeError('why');
      });
    });
  const error = await rejection(pool.run(job));
  expect(error.code).toBe('SLOPPY_E_WORK_JOB_TIMEOUT');
  expect(error.cause).toBeInstanceOf(RangeError);
  expect(heard).toHaveLength(1);
  // The next one's end has nothing to do with it.
  const next = await rejection(pool.run(() => new Promise(() => {})));
  expect(next.cause).toBeUndefined();
});

test('listeners that throw or leave do no harm', async () => {
  const pool = createPool();
  const heard = [];
  const listener = (error) => heard.push(error);
  pool.on('error', listener);
  pool.off('error', listener);
  pool.once('error', listener);
  await pool.run(() => void Promise.reject('first'));
  await until(() => heard.length === 1);
  expect(heard).toEqual(['first']);
});

testOnIsolates.each(['context', 'isolate'])(
  'nothing is lost with the realm: isolation %s',
  async (isolation) => {
    const { pool, heard } = listeningPool({ isolation });
    await pool.run(async () => void Promise.reject('lost'));
    await until(() => heard.length === 1);
    expect(heard).toEqual([['lost', 'unhandledRejection']]);
  },
);

describe('a Worker', () => {
  const module = `
    export function late(what) { setTimeout(() => { throw what; }); }
    export function reject(what) { Promise.reject(what); return 'done'; }`;

  test('tells with onError, also between calls', async () => {
    const worker = await startWorker(module);
    const heard = [];
    const off = worker.onError((...args) => heard.push(args));
    expect(await worker.invoke('reject', 'r')).toBe('done');
    await worker.invoke('late', 'l');
    await until(() => heard.length === 2);
    expect(heard).toEqual([
      ['r', 'unhandledRejection'],
      ['l', 'uncaughtException'],
    ]);
    off();
    off();
    expect(() => worker.onError('no')).toThrow(TypeError);
    await worker.stop();
    expect(() => worker.onError(() => {})).toThrow(
      expect.objectContaining({ code: 'SLOPPY_E_WORKER_STALE_HANDLE' }),
    );
  });

  test('whose module does not load says so once', () => {
    const path = JSON.stringify(moduleFile('await null; throw new Error(1);'));
    const script = `require('./lib/index.js').Worker.start(${path})
      .catch((error) => console.log(error.code));`;
    const ran = spawnSync(process.execPath, ['-e', script], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(ran.stdout.trim()).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
    expect(ran.stderr).toBe('');
  });
});

describe('inside the worker', () => {
  const pause = '(ms) => new Promise((resolve) => setTimeout(resolve, ms))';

  testOnIsolates("the global's listeners can take it", async () => {
    const { pool, heard } = listeningPool();
    const seen = await pool.run(
      async ({ input }) => {
        const pause = new Function(`return ${input}`)();
        const seen = [];
        addEventListener('unhandledrejection', (event) => {
          seen.push([event.type, event.reason, event.promise === promise]);
          event.preventDefault();
        });
        addEventListener('rejectionhandled', ({ type, reason }) => {
          seen.push([type, reason]);
        });
        addEventListener('error', (event) => {
          seen.push([event.message, event.error, event.target === self]);
          event.preventDefault();
        });
        const promise = Promise.reject('r');
        await pause(1);
        promise.catch(() => {});
        setTimeout(() => {
          throw 'e';
        });
        await pause(5);
        return seen;
      },
      { input: pause },
    );
    expect(seen).toEqual([
      ['unhandledrejection', 'r', true],
      ['rejectionhandled', 'r'],
      ['Uncaught e', 'e', true],
    ]);
    expect(heard).toEqual([]);
  });

  testOnIsolates('on… handlers can, too', async () => {
    const { pool, heard } = listeningPool();
    const seen = await pool.run(async () => {
      const seen = [globalThis.onerror, globalThis.onunhandledrejection];
      globalThis.onunhandledrejection = (event) => {
        seen.push(event.reason);
        event.preventDefault();
      };
      globalThis.onerror = (...args) => {
        seen.push(args);
        return true;
      };
      Promise.reject('r');
      reportError('e');
      await new Promise((resolve) => setTimeout(resolve, 1));
      return seen;
    });
    expect(seen).toEqual([
      null,
      null,
      ['Uncaught e', 'sloppy:pool/anonymous', 12, 7, 'e'],
      'r',
    ]);
    expect(heard).toEqual([]);
  });

  test("process's listeners can, as in Node", async () => {
    const { pool, heard } = listeningPool();
    const seen = await pool.run(async () => {
      const seen = [];
      process.on('unhandledRejection', (reason, promise) => {
        seen.push([reason, promise instanceof Promise]);
      });
      process.on('rejectionHandled', () => seen.push('handled'));
      process.on('uncaughtException', (...args) => seen.push(args));
      const promise = Promise.reject('r');
      await new Promise((resolve) => setTimeout(resolve, 1));
      promise.catch(() => {});
      reportError('e');
      await new Promise((resolve) => setTimeout(resolve, 1));
      return seen;
    });
    expect(seen).toEqual([['r', true], ['e', 'uncaughtException'], 'handled']);
    expect(heard).toEqual([]);
  });

  testOnIsolates(
    'a listener that fails itself is told of, and ends',
    async () => {
      const { pool, heard } = listeningPool();
      await pool.run(() => {
        process.on('uncaughtException', () => {
          throw 'again';
        });
        addEventListener('unhandledrejection', () => {
          Promise.reject('more');
        });
        reportError('first');
        Promise.reject('r');
      });
      await until(() => heard.length >= 6);
      expect(heard.map(([error]) => error).slice(0, 6)).toEqual([
        ...['again', 'first'],
        ...['again', 'r'],
        ...['again', 'more'],
      ]);
    },
  );
});
