'use strict';
// Every callback of the caller's runs in the async context in which the caller
// gave it, whoever's job happened to bring it about.

const { AsyncLocalStorage } = require('node:async_hooks');
const { join } = require('node:path');

const { BackgroundService, Time, WorkQueue } = require('../../../lib/index.js');
const { QOper8 } = require('../../../lib/adapters/qoper8.js');
const {
  createPool,
  moduleFile,
  rejection,
  startWorker,
  stopAll,
} = require('../conformance/support.js');

afterEach(stopAll);

const storage = new AsyncLocalStorage();
const store = () => storage.getStore();
const as = (who, fn) => storage.run(who, fn);

describe('promises', () => {
  test('of run, invoke, map and stream', async () => {
    const pool = createPool({
      workers: 2,
      module: moduleFile('export const one = () => 1;'),
    });
    const seen = await as('mine', async () => {
      const stores = [];
      await pool.run(() => 1);
      stores.push(store());
      await pool.invoke('one');
      stores.push(store());
      for await (const _ of pool.map([1, 2], () => 1)) stores.push(store());
      for await (const _ of pool.stream(function* () {
        yield 1;
      })) {
        stores.push(store());
      }
      await pool.run(() => 1).then(() => stores.push(store()));
      await rejection(
        pool.run(() => {
          throw new Error('no');
        }),
      );
      stores.push(store());
      return stores;
    });
    expect(seen).toEqual(Array.from(seen, () => 'mine'));
    expect(seen).toHaveLength(7);
  });
});

describe('what a job brings about', () => {
  const emitting = ({ emit, input }) => {
    emit(input);
    return input;
  };

  test('onMessage', async () => {
    const pool = createPool({ workers: 2 });
    const seen = [];
    const call = (who) =>
      as(who, () =>
        pool.run(emitting, {
          input: who,
          onMessage: (value) => seen.push([value, store()]),
        }),
      );
    await Promise.all(['a', 'b', undefined].map((who) => call(who ?? null)));
    expect(seen.sort()).toEqual(
      [
        ['a', 'a'],
        ['b', 'b'],
        [null, null],
      ].sort(),
    );
  });

  test('host functions', async () => {
    const seen = [];
    const pool = createPool({
      workers: 2,
      host: {
        async tell(who) {
          seen.push([who, store()]);
          await null;
          seen.push([who, store()]);
        },
      },
    });
    const call = (who) =>
      as(who, () =>
        pool.run(({ input, host }) => host.tell(input), { input: who }),
      );
    await Promise.all([call('a'), call('b')]);
    await pool.run(({ host }) => host.tell('nobody'));
    expect(seen.sort()).toEqual(
      [
        ['a', 'a'],
        ['a', 'a'],
        ['b', 'b'],
        ['b', 'b'],
        ['nobody', undefined],
        ['nobody', undefined],
      ].sort(),
    );
  });

  test('the source of a streamed input, and its end', async () => {
    const pool = createPool();
    const seen = [];
    async function* source() {
      try {
        for (let i = 0; i < 40; i += 1) {
          seen.push(store());
          yield i;
        }
      } finally {
        seen.push(store());
      }
    }
    const take = (count) =>
      as('mine', () =>
        pool.run(
          new Function(
            'context',
            `return (async () => {
            let n = 0;
            for await (const _ of context.input) if (++n === ${count}) break;
            return n;
          })()`,
          ),
          { input: source() },
        ),
      );
    expect(await take(100)).toBe(40);
    expect(await take(20)).toBe(20);
    await pool.drain();
    expect(seen.length).toBeGreaterThan(60);
    expect(new Set(seen)).toEqual(new Set(['mine']));
  });

  test('the source of a map', async () => {
    const pool = createPool();
    const seen = [];
    function* source() {
      for (let i = 0; i < 5; i += 1) {
        seen.push(store());
        yield i;
      }
    }
    await as('mine', async () => {
      for await (const _ of pool.map(source(), ({ input }) => input));
    });
    expect(seen).toEqual(Array.from({ length: 5 }, () => 'mine'));
  });
});

describe('listeners run where they were added', () => {
  test('of a pool', async () => {
    const pool = createPool();
    const seen = [];
    as('listener', () => {
      pool.on('workerStarted', () => seen.push(store()));
      pool.once('idle', () => seen.push(store()));
    });
    await as('submitter', () => pool.run(() => 1));
    await pool.drain();
    await as('submitter', () => pool.run(() => 1));
    expect(seen).toEqual(['listener', 'listener']);
  });

  test('and can be removed as they were added', async () => {
    const pool = createPool();
    const calls = [];
    const first = () => calls.push('first');
    const second = () => calls.push('second');
    pool.on('idle', first).once('idle', second);
    pool.off('idle', first).off('idle', second);
    await pool.run(() => 1);
    await pool.drain();
    expect(calls).toEqual([]);
  });

  test('onQueueDrain: where the pool was made', async () => {
    const seen = [];
    const pool = as('maker', () =>
      createPool({ onQueueDrain: () => seen.push(store()) }),
    );
    await as('submitter', () =>
      Promise.all([1, 2, 3].map(() => pool.run(() => 1))),
    );
    await pool.drain();
    expect(new Set(seen)).toEqual(new Set(['maker']));
  });

  test('of a Worker', async () => {
    const worker = await startWorker(
      'export const tell = (value) => postMessage(value);',
    );
    const seen = [];
    as('listener', () =>
      worker.onMessage((value) => seen.push([value, store()])),
    );
    await as('submitter', () => worker.invoke('tell', 1));
    expect(seen).toEqual([[1, 'listener']]);
  });
});

describe('handlers', () => {
  test('of a WorkQueue: where the job was enqueued', async () => {
    const seen = [];
    const queue = WorkQueue.create('contexts', {
      retry: {
        maxAttempts: 2,
        backoffMs: () => {
          seen.push(['backoff', store()]);
          return 1;
        },
      },
    });
    queue.process(async ({ data, attempt }) => {
      seen.push([data, store()]);
      await null;
      seen.push([data, store()]);
      if (attempt === 1 && data === 'b') throw new Error('again');
    });
    await Promise.all(
      ['a', 'b', 'c'].map((who) => as(who, () => queue.enqueue(who))),
    );
    expect(seen).toEqual([
      ['a', 'a'],
      ['a', 'a'],
      ['b', 'b'],
      ['b', 'b'],
      ['backoff', 'b'],
      ['b', 'b'],
      ['b', 'b'],
      ['c', 'c'],
      ['c', 'c'],
    ]);
  });

  test('of a BackgroundService: where it was started', async () => {
    const seen = [];
    const service = BackgroundService.create('service', async () => {
      seen.push(store());
      await null;
      seen.push(store());
    });
    as('starter', () => service.start());
    while (service.state === 'running') await null;
    expect(seen).toEqual(['starter', 'starter']);
  });

  test('of Time.every: where it was scheduled', async () => {
    const seen = [];
    await new Promise((resolve) => {
      as('scheduler', () =>
        Time.every(
          1,
          () => {
            seen.push(store());
            if (seen.length === 2) resolve();
          },
          { maxRuns: 2 },
        ),
      );
    });
    expect(seen).toEqual(['scheduler', 'scheduler']);
  });
});

describe('qoper8', () => {
  test('callbacks: of the message; listeners: where they were added', async () => {
    const file = moduleFile(
      'export default function (message, finished) { finished({ echo: message.value }); }',
    );
    const qoper8 = new QOper8({
      poolSize: 1,
      handlersByMessageType: new Map([['echo', { module: file }]]),
    });
    const seen = [];
    as('listener', () =>
      qoper8.on('replyReceived', () => seen.push(`heard by ${store()}`)),
    );
    const send = (who) =>
      new Promise((resolve) => {
        as(who, () =>
          qoper8.message({ type: 'echo', value: who }, () => {
            seen.push(`answered to ${who} in ${store()}`);
            resolve();
          }),
        );
      });
    await Promise.all([send('a'), send('b')]);
    await qoper8.stop();
    expect(seen).toContain('answered to a in a');
    expect(seen).toContain('answered to b in b');
    expect(
      seen
        .filter((text) => text.startsWith('heard'))
        .every((text) => text === 'heard by listener'),
    ).toBe(true);
  });
});

test("the first caller's store is in nobody else's callbacks", () => {
  // The first job of a process arms everything, so it has one of its own.
  const { runNode } = require('../support/run-node.js');
  const stdout = runNode([
    '-e',
    `
    const { AsyncLocalStorage } = require('node:async_hooks');
    const { WorkerPool } = require(${JSON.stringify(join(__dirname, '../../../lib/index.js'))});
    const storage = new AsyncLocalStorage();
    const seen = [];
    (async () => {
      const pool = storage.run('first', () => WorkerPool.create('p', { workers: 2 }));
      await storage.run('first', () => pool.run(() => 1));
      const options = { onMessage: () => seen.push(String(storage.getStore())) };
      await pool.run(({ emit }) => emit(1), options);
      pool.on('idle', () => seen.push(String(storage.getStore())));
      await pool.run(() => 1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      await pool.stop();
      console.log([...new Set(seen)].join());
    })();
    `,
  ]);
  expect(stdout.trim()).toBe('undefined');
});
