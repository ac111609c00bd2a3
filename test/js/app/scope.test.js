'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { getEventListeners } = require('node:events');
const fc = require('fast-check');
const { Scope } = require('../../../lib/app/scope.js');

afterEach(() => {
  jest.useRealTimers();
});

test('runs cleanups last to first, each after the one before', async () => {
  const scope = new Scope('request');
  const order = [];
  scope.add(() => order.push('first'));
  scope.add(async () => {
    await null;
    order.push('second');
  });
  scope.add(() => order.push('third'));
  expect(scope.kind).toBe('request');
  expect(scope.closed).toBe(false);
  await scope.close();
  expect(scope.closed).toBe(true);
  expect(order).toEqual(['third', 'second', 'first']);
});

test.each([
  [5],
  ['text'],
  [[]],
  [{ timeoutMs: -1 }],
  [{ timeoutMs: Number.NaN }],
  [{ timeoutMs: '5' }],
  [{ timeoutMs: null }],
])('close(%j) is refused and runs nothing', async (options) => {
  const cleanup = jest.fn();
  const scope = new Scope('request');
  scope.add(cleanup);
  await expect(scope.close('end', options)).rejects.toThrow(TypeError);
  expect(scope.closed).toBe(false);
  expect(cleanup).not.toHaveBeenCalled();
  await scope.close('end', null);
  expect(cleanup).toHaveBeenCalledTimes(1);
});

test.each([undefined, null, 5, {}])('closeOn(%j) throws', (signal) => {
  expect(() => new Scope('request').closeOn(signal)).toThrow(
    new TypeError(
      'Scope.closeOn signal must be a Sloppy cancellation signal or ' +
        'AbortSignal-like object.',
    ),
  );
});

test('passes the reason and the limit', async () => {
  const cleanup = jest.fn();
  const scope = new Scope('app');
  scope.add(cleanup);
  await scope.close('why', { timeoutMs: 50 });
  expect(cleanup.mock.calls).toEqual([['why', { timeoutMs: 50 }]]);
  const other = jest.fn();
  const second = new Scope('app');
  second.add(other);
  await second.close();
  expect(other.mock.calls).toEqual([['scope end', { timeoutMs: 10_000 }]]);
});

test('closing twice runs nothing again and reports the same', async () => {
  const cleanup = jest.fn();
  const scope = new Scope('request');
  scope.add(cleanup, { label: 'a' });
  const closing = scope.close();
  expect(scope.close('again')).toBe(closing);
  const report = await closing;
  expect(report).toEqual([{ label: 'a', outcome: 'done', error: undefined }]);
  expect(Object.isFrozen(report)).toBe(true);
  expect(Object.isFrozen(report[0])).toBe(true);
  await scope.close();
  expect(cleanup).toHaveBeenCalledTimes(1);
});

test('takes nothing once it closes', async () => {
  const scope = new Scope('request');
  let thrown;
  scope.add(() => {
    try {
      scope.add(() => {});
    } catch (error) {
      thrown = error;
    }
  });
  await scope.close();
  expect(thrown.code).toBe('SLOPPY_E_WORKER_STALE_HANDLE');
  expect(() => scope.add(() => {})).toThrow('scope is closed');
});

test('a cleanup may close its scope and wait for that', async () => {
  const scope = new Scope('request');
  const order = [];
  scope.add(() => order.push('last'));
  scope.add(async () => {
    expect(scope.inCleanup).toBe(true);
    expect(await scope.close()).toEqual([]);
    order.push('closer');
  });
  await scope.close();
  expect(order).toEqual(['closer', 'last']);
  expect(scope.inCleanup).toBe(false);
});

test('a cleanup that throws or rejects does not stop the others', async () => {
  const errors = [new Error('a'), new Error('b')];
  const scope = new Scope('request');
  const last = jest.fn();
  scope.add(last);
  scope.add(() => {
    throw errors[0];
  });
  scope.add(() => Promise.reject(errors[1]));
  const report = await scope.close();
  expect(last).toHaveBeenCalledTimes(1);
  expect(report.map(({ outcome }) => outcome)).toEqual([
    'failed',
    'failed',
    'done',
  ]);
  expect(report.map(({ error }) => error)).toEqual([
    errors[1],
    errors[0],
    undefined,
  ]);
});

test('a cleanup that hangs is given up on after its limit', async () => {
  jest.useFakeTimers();
  const scope = new Scope('request');
  const last = jest.fn();
  scope.add(last, { label: 'last' });
  scope.add(() => new Promise(() => {}), { label: 'patient', graceMs: 5 });
  scope.add(() => new Promise(() => {}), { label: 'stuck' });
  const closing = scope.close('end', { timeoutMs: 10 });
  await jest.advanceTimersByTimeAsync(10);
  await jest.advanceTimersByTimeAsync(14);
  expect(last).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  const report = await closing;
  expect(report.map(({ label, outcome }) => [label, outcome])).toEqual([
    ['stuck', 'forced'],
    ['patient', 'forced'],
    ['last', 'done'],
  ]);
  expect(jest.getTimerCount()).toBe(0);
});

test('without a limit a cleanup has all the time it needs', async () => {
  jest.useFakeTimers();
  const scope = new Scope('request');
  scope.add(() => new Promise((resolve) => setTimeout(resolve, 60_000)));
  const closing = scope.close('end', { timeoutMs: Infinity });
  await jest.advanceTimersByTimeAsync(60_000);
  expect((await closing)[0].outcome).toBe('done');
});

test('a cleanup may report that it used force', async () => {
  const scope = new Scope('request');
  scope.add(async () => ({ forced: true }));
  scope.add(async () => ({ forced: false }));
  const report = await scope.close();
  expect(report.map(({ outcome }) => outcome)).toEqual(['done', 'forced']);
});

test('what was taken out does not run, also during the closing', async () => {
  const scope = new Scope('request');
  const [before, during] = [jest.fn(), jest.fn()];
  const removeBefore = scope.add(before);
  const removeDuring = scope.add(during);
  scope.add(() => removeDuring());
  removeBefore();
  removeBefore();
  await scope.close();
  expect(before).not.toHaveBeenCalled();
  expect(during).not.toHaveBeenCalled();
});

test('overflow fails without changing anything', async () => {
  const scope = new Scope('request', { maxCleanups: 2 });
  const cleanups = [jest.fn(), jest.fn(), jest.fn(), jest.fn()];
  const remove = scope.add(cleanups[0]);
  scope.add(cleanups[1]);
  expect(() => scope.add(cleanups[2])).toThrow(
    expect.objectContaining({
      code: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
    }),
  );
  remove();
  scope.add(cleanups[3]);
  await scope.close();
  expect(cleanups.map((fn) => fn.mock.calls.length)).toEqual([0, 1, 0, 1]);
});

test.each([undefined, null, {}, 'x'])('cleanup %p is refused', (cleanup) => {
  expect(() => new Scope('request').add(cleanup)).toThrow(
    new TypeError('Scope.add requires a cleanup function.'),
  );
});

test('a cancelled signal closes it, with the reason', async () => {
  const controller = new AbortController();
  const cleanup = jest.fn();
  const scope = new Scope('request');
  scope.closeOn(controller.signal);
  scope.add(cleanup);
  controller.abort('why');
  expect(scope.closed).toBe(true);
  await scope.close('later');
  expect(cleanup).toHaveBeenCalledTimes(1);
  expect(cleanup.mock.calls[0][0]).toBe('why');
});

test('closing lets go of the signal', async () => {
  const { signal } = new AbortController();
  const scope = new Scope('request');
  scope.closeOn(signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await scope[Symbol.asyncDispose]();
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  const late = new Scope('request');
  late.closeOn(AbortSignal.abort());
  expect(late.closed).toBe(true);
});

test('calls onClosed once, after the last cleanup', async () => {
  const order = [];
  const scope = new Scope('request', { onClosed: () => order.push('closed') });
  scope.add(async () => {
    await null;
    order.push('cleanup');
  });
  await Promise.all([scope.close(), scope.close()]);
  expect(order).toEqual(['cleanup', 'closed']);
});

test('any mix of adds, removals and failures: reverse order, exactly once', async () => {
  const kind = fc.constantFrom('sync', 'async', 'throws', 'rejects', 'removed');
  await fc.assert(
    fc.asyncProperty(fc.array(kind), fc.nat(), async (kinds, closers) => {
      const scope = new Scope('request');
      const ran = [];
      kinds.forEach((each, id) => {
        const remove = scope.add(() => {
          ran.push(id);
          if (id % 3 === closers % 3) scope.close();
          if (each === 'throws') throw new Error('throws');
          if (each === 'rejects') return Promise.reject(new Error('rejects'));
          return each === 'async' ? Promise.resolve() : undefined;
        });
        if (each === 'removed') remove();
      });
      await Promise.all([scope.close(), scope.close()]);
      const expected = kinds
        .map((each, id) => (each === 'removed' ? -1 : id))
        .filter((id) => id >= 0)
        .reverse();
      expect(ran).toEqual(expected);
    }),
  );
});
