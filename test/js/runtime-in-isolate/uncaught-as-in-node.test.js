'use strict';

// The events of `process` about what nobody caught, and their order, as on the
// main thread of Node.

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const { WorkerPool } = require('../../../lib/index.js');

const run = promisify(execFile);

async function until(condition) {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** @returns {Promise<unknown>} what a program gives in a process of Node's */
async function onMainThread(program) {
  const script = `(${program})().then((log) => {
    console.log();
    console.log(JSON.stringify(log));
    process.exit(0);
  });`;
  const { stdout } = await run(process.execPath, ['-e', script]);
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

const programs = {
  'a rejection without a listener of its own is an error': async () => {
    const log = [];
    process.on('uncaughtException', (error, origin) =>
      log.push([
        ...[`${error}`, origin, error.code, Object.entries(error)],
        ...[error.constructor.name, error instanceof Error],
      ]),
    );
    process.on('rejectionHandled', () => log.push('handled'));
    class Own {}
    const reasons = [new RangeError('r'), null, undefined, 5, 'text', 7n];
    reasons.push({ a: 1 }, new Own(), [1, 2], Symbol('s'), () => 5, {
      stack: 1,
    });
    reasons.push(Object.create(new Error('inherited')), new Date(0), /x/);
    const promises = reasons.map((reason) => Promise.reject(reason));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    promises[0].catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    return log;
  },
  'monitors hear first, of what others take too': async () => {
    const log = [];
    const note =
      (at) =>
      (error, ...more) =>
        log.push([
          at,
          error,
          ...more.filter((each) => typeof each === 'string'),
        ]);
    process.on('uncaughtException', note('error'));
    process.on('uncaughtExceptionMonitor', note('monitor'));
    setTimeout(() => {
      throw 'timer';
    });
    Promise.reject(Object.assign(Object.create(null), { stack: 'rejected' }));
    await new Promise((resolve) => setTimeout(resolve, 10));
    await new Promise((resolve) => setImmediate(resolve));
    process.on('unhandledRejection', note('rejection'));
    Promise.reject('taken');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    return log;
  },
  'what captures errors comes before listeners': async () => {
    const log = [];
    const tell = (work) => {
      try {
        log.push([process.hasUncaughtExceptionCaptureCallback(), work()]);
      } catch ({ name, code, message }) {
        log.push([name, code, message]);
      }
    };
    // What has thrown leaves the rest to the next callback.
    const wait = async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setImmediate(resolve));
    };
    const {
      addUncaughtExceptionCaptureCallback: add,
      setUncaughtExceptionCaptureCallback: set,
    } = process;
    process.on('uncaughtException', (error) => log.push(['listener', error]));
    process.on('uncaughtExceptionMonitor', (error, origin) =>
      log.push(['monitor', error, origin]),
    );
    for (const odd of [undefined, 5, {}]) tell(() => set(odd));
    if (add !== undefined) {
      tell(() => add(null));
      tell(() => add((error) => log.push(['first', error]) > 0));
      tell(() => add((error) => log.push(['second', error])));
      Promise.reject({ stack: 'x' });
      await wait();
    }
    tell(() => set((error, ...more) => log.push(['captured', error, more])));
    tell(() => set(() => {}));
    process.nextTick(() => {
      throw 'tick';
    });
    Promise.reject({ stack: 'y' });
    await wait();
    tell(() => set(null));
    tell(() => set(null));
    return [log, set.name, set.length, add?.name, add?.length];
  },
  'ticks, microtasks, rejections and what handles them late': async () => {
    const log = [];
    process.on('unhandledRejection', (reason, promise) => {
      log.push(['unhandled', reason]);
      process.nextTick(() => log.push(['tick of', reason]));
      queueMicrotask(() => log.push(['microtask of', reason]));
      if (reason === 'a') promise.catch(() => log.push('caught a'));
      if (reason === 'b') Promise.reject('caused by b');
    });
    process.on('rejectionHandled', (promise) => {
      promise.catch((reason) => log.push(['reason', reason]));
      log.push('handled');
    });
    process.on('warning', ({ name }) => log.push(name));
    Promise.reject('a');
    const b = Promise.reject('b');
    Promise.reject('never').catch(() => {});
    process.nextTick(() => Promise.reject('of a tick'));
    setImmediate(() => {
      Promise.reject('d');
      b.catch(() => log.push('caught b'));
      log.push('immediate');
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setImmediate(resolve));
    return log;
  },
  'a rejection that is handled late, with nobody to hear': async () => {
    const log = [];
    process.removeAllListeners('warning');
    process.on('warning', (warning) => {
      const { name, message, constructor: kind } = warning;
      log.push([name, message, kind.name, Object.keys(warning)]);
    });
    process.once('unhandledRejection', (reason) => log.push(reason));
    const promise = Promise.reject('late');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    promise.catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    return log;
  },
  'a listener that throws is an error, and its rejection is over': async () => {
    const log = [];
    process.on('unhandledRejection', (reason) => {
      log.push(['unhandled', reason]);
      throw `about ${reason}`;
    });
    process.on('uncaughtException', (error, origin) =>
      log.push([error, origin]),
    );
    Promise.reject('one');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    Promise.reject('two');
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    return log;
  },
  'rejections that listeners cause one after the other': async () => {
    const log = [];
    process.on('unhandledRejection', (reason) => {
      log.push(reason);
      if (reason < 20) Promise.reject(reason + 1);
    });
    Promise.reject(0);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setImmediate(resolve));
    return log;
  },
  'promises that are settled once more': async () => {
    const log = [];
    const hear = (type, _promise, value) => log.push([type, `${value}`]);
    process.removeAllListeners('warning');
    process.on('warning', ({ name, code, message }) =>
      log.push([name, code, message]),
    );
    const again = () => {
      new Promise((resolve, reject) => {
        process.nextTick(() => log.push('tick'));
        resolve(1);
        resolve(2);
        reject(new Error('three'));
        process.nextTick(() => log.push('later'));
        throw 'four';
      });
      return new Promise((resolve) => setTimeout(resolve, 5));
    };
    await again();
    process.on('multipleResolves', hear);
    await again();
    await again();
    process.off('multipleResolves', hear);
    await again();
    return log;
  },
};

describe('what nobody caught is told of as by Node', () => {
  test.each(Object.entries(programs))('%s', async (_, program) => {
    const pool = WorkerPool.create('uncaught', { workers: 1 });
    const told = [];
    pool.on('error', (...event) => told.push(event));
    try {
      expect(await pool.run(program)).toEqual(await onMainThread(program));
      expect(told).toEqual([]);
    } finally {
      await pool.stop();
    }
  });
});

describe.each(['isolate', 'thread'])('runtime: %s', (runtime) => {
  let pool;
  beforeEach(() => {
    pool = WorkerPool.create('places', { workers: 1, runtime });
  });
  afterEach(() => pool.stop());

  test('listeners for errors hear of rejections', async () => {
    const { 'monitors hear first, of what others take too': program } =
      programs;
    expect(await pool.run(program)).toEqual(await onMainThread(program));
  });

  test('a monitor takes nothing away from the pool', async () => {
    const told = [];
    pool.on('error', (...event) => told.push(event));
    const seen = await pool.run(async () => {
      const log = [];
      const note = (error, origin) => log.push([`${error}`, origin]);
      process.on('uncaughtExceptionMonitor', note);
      setTimeout(() => {
        throw 'thrown';
      });
      Promise.reject('rejected');
      await new Promise((resolve) => setTimeout(resolve, 10));
      process.off('uncaughtExceptionMonitor', note);
      return log;
    });
    expect(seen).toEqual([
      [expect.stringContaining('reason "rejected"'), 'unhandledRejection'],
      ['thrown', 'uncaughtException'],
    ]);
    await until(() => told.length === 2);
    expect(told).toEqual([
      ['rejected', 'unhandledRejection'],
      ['thrown', 'uncaughtException'],
    ]);
  });
});

test('listeners that reject for ever are heard of, and end', async () => {
  const pool = WorkerPool.create('endless', { workers: 1 });
  const told = [];
  pool.on('error', (...event) => told.push(event));
  const job = () => {
    process.on('unhandledRejection', (reason) => Promise.reject(reason + 1));
    Promise.reject(0);
    return 'done';
  };
  expect(await pool.run(job)).toBe('done');
  await until(() => told.length > 0);
  expect(told).toEqual([[expect.any(Number), 'unhandledRejection']]);
  await pool.stop();
});
