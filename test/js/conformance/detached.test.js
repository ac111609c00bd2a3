'use strict';
// Methods without their handle, as after `const { enqueue } = queue`.

const {
  BackgroundService,
  WorkQueue,
  WorkerCancellationController,
} = require('../../../lib/index.js');
const { createPool, startWorker, stopAll } = require('./support.js');

afterEach(stopAll);

const HANDLES = {
  WorkQueue: {
    make: () => WorkQueue.create('q').process(() => 1),
    promised: ['enqueue', 'drain', 'stop'],
    others: ['process', 'metrics'],
  },
  BackgroundService: {
    make: () => BackgroundService.create('s', () => {}),
    promised: ['stop'],
    others: ['start'],
  },
  WorkerPool: {
    make: () => createPool(),
    promised: [
      ...['run', 'invoke', 'drain', 'onIdle', 'stop', 'stats'],
      ...['cpuProfile', 'heapSnapshot', 'broadcast', 'recycle', 'sandbox'],
    ],
    others: [
      ...['map', 'stream', 'pause', 'resume', 'resize', 'metrics', 'share'],
      ...['ref', 'unref', 'on', 'once', 'off', 'addListener', 'removeListener'],
    ],
  },
  Worker: {
    make: () => startWorker('export const f = () => 1;'),
    promised: ['invoke', 'post', 'stop', 'stats', 'cpuProfile', 'heapSnapshot'],
    others: ['onMessage', 'onError', 'metrics', 'ref', 'unref'],
  },
};

const receivers = [undefined, null, {}, 7, new Proxy({}, {})];

describe.each(Object.entries(HANDLES))('%s', (name, { make, ...methods }) => {
  test('what returns a promise rejects, and says why', async () => {
    const handle = await make();
    for (const key of methods.promised) {
      for (const receiver of receivers) {
        let promise;
        expect(() => {
          promise = Reflect.apply(handle[key], receiver, []);
        }).not.toThrow();
        await expect(promise).rejects.toEqual(
          new TypeError(
            `${name}.${key} must be called as a method of its handle.`,
          ),
        );
      }
    }
  });

  test('the others throw, and say why', async () => {
    const handle = await make();
    for (const key of methods.others) {
      for (const receiver of receivers) {
        expect(() => Reflect.apply(handle[key], receiver, [() => {}])).toThrow(
          new TypeError(
            `${name}.${key} must be called as a method of its handle.`,
          ),
        );
      }
    }
  });

  test('all of its methods are named above', async () => {
    const prototype = Object.getPrototypeOf(await make());
    const names = Object.entries(Object.getOwnPropertyDescriptors(prototype))
      .filter(([, { value }]) => typeof value === 'function')
      .map(([key]) => key)
      .filter((key) => key !== 'constructor' && !key.startsWith('__'));
    expect(names.sort()).toEqual(
      [...methods.promised, ...methods.others].sort(),
    );
  });

  test('they keep name, length and being hidden', async () => {
    const prototype = Object.getPrototypeOf(await make());
    expect(Object.keys(prototype)).toEqual([]);
    expect(prototype.stop.name).toBe('stop');
    expect(prototype.stop.length).toBe(0);
  });
});

test('bound to its handle, a method works', async () => {
  const queue = WorkQueue.create('q').process(({ data }) => data);
  const { enqueue, drain } = queue;
  await expect(enqueue.call(queue, 1)).resolves.toBe(1);
  await expect(drain.call(queue)).resolves.toBeUndefined();
});

test('a signal without its controller stays a TypeError', () => {
  const { signal } = new WorkerCancellationController();
  const { throwIfCancelled } = signal;
  expect(() => throwIfCancelled()).toThrow(TypeError);
});
