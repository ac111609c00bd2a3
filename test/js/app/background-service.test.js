'use strict';

jest.mock('../../../lib/base/own-time.js', () =>
  require('../support/fakeable-time.js'),
);

const { BackgroundService } = require('../../../lib/app/background-service.js');
const {
  SloppyWorkerError,
} = require('../../../lib/protocol/sloppy-worker-error.js');
const { Time } = require('../../../lib/time.js');
const { settleMicrotasks } = require('../support/promises.js');

function deferred() {
  const result = {};
  result.promise = new Promise((resolve, reject) => {
    result.resolve = resolve;
    result.reject = reject;
  });
  return result;
}

/** A handler that ends when its signal is cancelled. */
const obedient = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', resolve));

const never = () => new Promise(() => {});

describe('create', () => {
  test('makes a sealed handle that has not run', () => {
    const handler = jest.fn();
    const service = BackgroundService.create('mail', handler);
    expect(Object.isFrozen(BackgroundService)).toBe(true);
    expect(Object.isSealed(service)).toBe(true);
    expect(service.name).toBe('mail');
    expect(service.state).toBe('created');
    expect(service.failure).toBeUndefined();
    expect(Object.keys(service)).toEqual([]);
    for (const field of ['name', 'state', 'failure']) {
      expect(() => {
        service[field] = 'x';
      }).toThrow(TypeError);
    }
  });

  class Bag {}
  test.each([1, 'x', [], new Bag(), () => {}])('options %p', (options) => {
    expect(() => BackgroundService.create('', 1, options)).toThrow(
      new TypeError('BackgroundService.create options must be a plain object.'),
    );
  });

  test.each([
    undefined,
    null,
    1,
    '',
    ' a',
    'a ',
    'a\nb',
    'a\rb',
    'a\0b',
    '\t',
    'x'.repeat(129),
  ])('name %p', (name) => {
    expect(() => BackgroundService.create(name, 1)).toThrow(
      new TypeError(
        'BackgroundService name must be a non-empty stable string.',
      ),
    );
  });

  test.each(['a', 'a b', 'x'.repeat(128), '\u00e9', 'a\tb'])(
    'accepts the name %p',
    (name) => {
      expect(BackgroundService.create(name, never).name).toBe(name);
    },
  );

  test.each([undefined, null, {}, 'x'])('handler %p', (handler) => {
    expect(() =>
      BackgroundService.create('a', handler, { start: 'bad' }),
    ).toThrow(new TypeError('BackgroundService.create requires a function.'));
  });

  test.each(['auto', '', null, 1, true])('start: %p', (start) => {
    expect(() => BackgroundService.create('a', never, { start })).toThrow(
      new TypeError('BackgroundService start must be "app" or "manual".'),
    );
  });

  test('shutdown must be a text', () => {
    expect(() => BackgroundService.create('a', never, { shutdown: 1 })).toThrow(
      TypeError,
    );
  });

  test('describes itself for the plan, with its options at creation', () => {
    const options = { start: 'manual', shutdown: 'custom', other: 1 };
    const service = BackgroundService.create('a', never, options);
    options.start = 'app';
    expect(service.__sloppyWorkerResource).toBe('backgroundService');
    expect(service.__sloppyPlanMetadata()).toEqual({
      kind: 'backgroundService',
      name: 'a',
      start: 'manual',
      shutdown: 'custom',
    });
    expect(
      BackgroundService.create('b', never, null).__sloppyPlanMetadata(),
    ).toEqual({
      kind: 'backgroundService',
      name: 'b',
      start: 'app',
      shutdown: 'cancel-and-drain',
    });
  });
});

describe('start', () => {
  test('runs the handler once, later, with a frozen context', async () => {
    const handler = jest.fn(obedient);
    const service = BackgroundService.create('a', handler);
    expect(service.start()).toBe(service);
    expect(service.start()).toBe(service);
    expect(service.state).toBe('running');
    expect(handler).not.toHaveBeenCalled();
    await settleMicrotasks();
    expect(handler).toHaveBeenCalledTimes(1);
    const [context] = handler.mock.calls[0];
    expect(Object.isFrozen(context)).toBe(true);
    expect(Object.keys(context).sort()).toEqual(['name', 'signal']);
    expect(context.name).toBe('a');
    expect(context.signal.cancelled).toBe(false);
    await service.stop();
  });

  test.each([
    ['returns', () => 1],
    ['resolves', async () => 1],
  ])('completes when the handler %s', async (_, handler) => {
    const service = BackgroundService.create('a', handler).start();
    await settleMicrotasks();
    expect(service.state).toBe('completed');
    expect(service.failure).toBeUndefined();
  });

  test('fails when the handler rejects, with the error as cause', async () => {
    const cause = new Error('s3cret');
    const service = BackgroundService.create('a', async () => {
      throw cause;
    }).start();
    await settleMicrotasks();
    expect(service.state).toBe('failed');
    expect(service.failure).toBeInstanceOf(SloppyWorkerError);
    expect(service.failure.message).toBe(
      'SLOPPY_E_BACKGROUND_SERVICE_FAILED: background service failed',
    );
    expect(service.failure.cause).toBe(cause);
    expect(service.failure.stack).not.toContain('s3cret');
  });

  test('tells apart a handler that throws before it returns', async () => {
    const cause = new Error('s3cret');
    const service = BackgroundService.create('a', () => {
      throw cause;
    }).start();
    expect(service.state).toBe('running');
    await settleMicrotasks();
    expect(service.state).toBe('failed');
    expect(service.failure.message).toBe(
      'SLOPPY_E_BACKGROUND_SERVICE_START_FAILED: background service failed to start',
    );
    expect(service.failure.cause).toBe(cause);
  });

  test('runs a completed or failed service again, with a new signal', async () => {
    const signals = [];
    let run = 0;
    const service = BackgroundService.create('a', async ({ signal }) => {
      signals.push(signal);
      run += 1;
      if (run === 1) throw new Error('first');
    });
    service.start();
    await settleMicrotasks();
    expect(service.state).toBe('failed');
    service.start();
    expect(service.state).toBe('running');
    expect(service.failure).toBeUndefined();
    await settleMicrotasks();
    expect(service.state).toBe('completed');
    service.start();
    await settleMicrotasks();
    expect(run).toBe(3);
    expect(new Set(signals).size).toBe(3);
  });

  test('throws after stop', async () => {
    const service = BackgroundService.create('a', never);
    await service.stop();
    expect(() => service.start()).toThrow(
      expect.objectContaining({
        message:
          'SLOPPY_E_WORKER_STALE_HANDLE: background service has been stopped',
      }),
    );
  });
});

describe('stop', () => {
  test('before start: the handler never runs', async () => {
    const handler = jest.fn();
    const service = BackgroundService.create('a', handler);
    const stopping = service.stop();
    expect(service.state).toBe('stopped');
    expect(await stopping).toBeUndefined();
    expect(await service.stop()).toBeUndefined();
    await settleMicrotasks();
    expect(handler).not.toHaveBeenCalled();
  });

  test('right after start: the handler runs and sees the cancellation', async () => {
    let signal;
    const service = BackgroundService.create('a', (context) => {
      signal = context.signal;
      return obedient(context);
    }).start();
    await Promise.all([service.stop('why'), service.stop('second')]);
    expect(signal.reason).toBe('why');
    expect(service.state).toBe('stopped');
    expect(service.failure).toBeUndefined();
  });

  test('cancels the signal at once and waits for the handler', async () => {
    const work = deferred();
    let signal;
    const service = BackgroundService.create('a', (context) => {
      signal = context.signal;
      return work.promise;
    }).start();
    await settleMicrotasks();
    let stopped = false;
    const stopping = service.stop().then(() => {
      stopped = true;
    });
    expect(signal.reason).toBe('app shutdown');
    await settleMicrotasks();
    expect(stopped).toBe(false);
    expect(service.state).toBe('running');
    expect(service.start()).toBe(service);
    work.resolve();
    await stopping;
    expect(service.state).toBe('stopped');
  });

  test('concurrent calls all resolve after the handler; the first reason wins', async () => {
    let signal;
    const service = BackgroundService.create('a', (context) => {
      signal = context.signal;
      return obedient(context);
    }).start();
    await settleMicrotasks();
    await Promise.all([service.stop('first'), service.stop('second')]);
    expect(signal.reason).toBe('first');
  });

  test.each([
    ['rejects', ({ signal }) => Time.delay(60_000, { signal })],
    [
      'throws a cancellation',
      async (context) => {
        await obedient(context);
        context.signal.throwIfCancelled();
      },
    ],
  ])('a handler that %s when cancelled has not failed', async (_, handler) => {
    const service = BackgroundService.create('a', handler).start();
    await settleMicrotasks();
    await service.stop();
    expect(service.state).toBe('stopped');
    expect(service.failure).toBeUndefined();
  });

  test('a synchronous throw after an early stop is no failure', async () => {
    const service = BackgroundService.create('a', () => {
      throw new Error('sync');
    }).start();
    await service.stop();
    expect(service.state).toBe('stopped');
    expect(service.failure).toBeUndefined();
  });

  test('keeps the failure of a failed service', async () => {
    const service = BackgroundService.create('a', async () => {
      throw new Error('x');
    }).start();
    await settleMicrotasks();
    const { failure } = service;
    await service.stop();
    expect(service.state).toBe('stopped');
    expect(service.failure).toBe(failure);
    expect(failure.code).toBe('SLOPPY_E_BACKGROUND_SERVICE_FAILED');
  });

  test('a completed service becomes stopped', async () => {
    const service = BackgroundService.create('a', () => {}).start();
    await settleMicrotasks();
    await service.stop();
    expect(service.state).toBe('stopped');
  });

  test('using', async () => {
    const service = BackgroundService.create('a', obedient).start();
    await service[Symbol.asyncDispose]();
    expect(service.state).toBe('stopped');
  });
});

describe('a bounded stop', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('gives up after timeoutMs; what comes later is dropped', async () => {
    jest.useFakeTimers();
    const work = deferred();
    const service = BackgroundService.create('a', () => work.promise).start();
    await settleMicrotasks();
    const others = [service.stop(), service.stop('x', { timeoutMs: 100 })];
    const stopping = service.stop('y', { timeoutMs: 10 });
    jest.advanceTimersByTime(9);
    await settleMicrotasks();
    expect(service.state).toBe('running');
    jest.advanceTimersByTime(1);
    await Promise.all([stopping, ...others]);
    expect(service.state).toBe('stopped');
    expect(jest.getTimerCount()).toBe(0);
    work.reject(new Error('late'));
    await settleMicrotasks();
    expect(service.state).toBe('stopped');
    expect(service.failure).toBeUndefined();
  });

  test('needs no time when the handler obeys', async () => {
    jest.useFakeTimers();
    const service = BackgroundService.create('a', obedient).start();
    await settleMicrotasks();
    await service.stop('why', { timeoutMs: 1000 });
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([
    [{ timeoutMs: -1 }, 'worker timeoutMs must be finite and non-negative.'],
    [{ timeoutMs: '5' }, 'worker timeoutMs must be finite and non-negative.'],
    [5, 'BackgroundService.stop options must be a plain object.'],
  ])('refuses %p', async (options, message) => {
    const service = BackgroundService.create('a', never);
    await expect(service.stop('x', options)).rejects.toThrow(
      new TypeError(message),
    );
    expect(service.state).toBe('created');
  });

  test('tells the app whether it had to give up', async () => {
    const options = { timeoutMs: 1 };
    const stuck = BackgroundService.create('a', never);
    expect(stuck.__sloppyStartForApp()).toBe(stuck);
    expect(await stuck.__sloppyStopForApp('x', options)).toEqual({
      forced: true,
    });
    const orderly = BackgroundService.create('a', obedient).start();
    expect(await orderly.__sloppyStopForApp('x', options)).toEqual({
      forced: false,
    });
    expect(await orderly.__sloppyStopForApp('x', options)).toEqual({
      forced: false,
    });
  });
});
