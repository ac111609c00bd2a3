'use strict';

const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');
const { fixture } = require('../adapters/support.js');

const ECHO = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', (value) => {
    if (value === 'throw') throw new RangeError('out');
    if (value === 'exit') process.exit(4);
    if (value === 'loop') for (;;);
    parentPort.postMessage(value === 'data' ? workerData : value);
  });`;

const once = (worker, type) =>
  new Promise((resolve) => worker.once(type, (...args) => resolve(args)));

const up = async (settings = { source: ECHO }) => {
  const worker = createMessageWorker(settings);
  await once(worker, 'online');
  return worker;
};

test('messages both ways, and the data of the start', async () => {
  const worker = await up({ source: ECHO, workerData: { a: [1] } });
  worker.postMessage('data');
  expect(await once(worker, 'message')).toEqual([{ a: [1] }]);
  worker.postMessage({ b: 2 });
  expect(await once(worker, 'message')).toEqual([{ b: 2 }]);
  expect(await worker.terminate()).toBe(1);
  expect([worker.exitCode, worker.exiting]).toEqual([1, true]);
});

test('early messages come after what follows the first listener', async () => {
  const worker = createMessageWorker({ module: fixture('late-listener.mjs') });
  const got = [];
  worker.on('message', (value) => got.push(value));
  for (const value of [1, 2, 3]) worker.postMessage(value);
  await once(worker, 'online');
  while (got.length < 3) await once(worker, 'message');
  expect(got).toEqual([{ value: 1 }, { value: 2 }, { value: 3 }]);
  await worker.terminate();
});

test('a transferred buffer is moved', async () => {
  const worker = await up();
  const buffer = new ArrayBuffer(8);
  worker.postMessage(buffer, [buffer]);
  expect(buffer.byteLength).toBe(0);
  const [back] = await once(worker, 'message');
  expect(back.byteLength).toBe(8);
  await worker.terminate();
});

test('an error comes before the exit, which carries it as its cause', async () => {
  const worker = await up();
  const seen = [];
  worker.on('error', (err) => seen.push(err));
  worker.postMessage('throw');
  const [code, cause] = await once(worker, 'exit');
  expect(seen).toEqual([cause]);
  expect([code, cause.message, cause.name]).toEqual([1, 'out', 'RangeError']);
});

test('an error nobody listens for is only the cause', async () => {
  const worker = await up();
  worker.postMessage('throw');
  expect((await once(worker, 'exit'))[1].message).toBe('out');
});

test('an exit on purpose has its code and a coded cause', async () => {
  const worker = await up();
  worker.postMessage('exit');
  const [code, cause] = await once(worker, 'exit');
  expect([code, cause.code]).toEqual([4, 'SLOPPY_E_WORKER_CRASHED']);
  expect(await worker.terminate()).toBe(4);
});

test('terminate interrupts running code and is repeatable', async () => {
  const worker = await up();
  worker.postMessage('loop');
  expect(await Promise.all([worker.terminate(), worker.terminate()])).toEqual([
    1, 1,
  ]);
  expect(await worker.terminate()).toBe(1);
  worker.postMessage('into the void');
  worker.ref().unref();
});

test('terminate settles for a worker that never came up', async () => {
  expect(await createMessageWorker({ source: ECHO }).terminate()).toBe(1);
});

test('a module that is not there never comes online', async () => {
  const worker = createMessageWorker({ module: fixture('gone.mjs') });
  const online = jest.fn();
  worker.on('online', online);
  const [, cause] = await once(worker, 'exit');
  expect(cause.message).toMatch(/gone\.mjs/);
  expect(online).not.toHaveBeenCalled();
});

test('what cannot travel is refused without its value in the text', async () => {
  const worker = await up();
  const secret = () => 'secret';
  let err;
  try {
    worker.postMessage(secret);
  } catch (caught) {
    err = caught;
  }
  expect(err.code).toBe('SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD');
  expect(`${err.message}${err.stack.split('\n')[0]}`).not.toMatch(/secret/);
  await worker.terminate();
});

test("the web's listeners", async () => {
  const worker = await up();
  const seen = [];
  const listener = (event) => seen.push(['fn', event.type, event.data]);
  const object = { handleEvent: (event) => seen.push(['object', event.data]) };
  worker.addEventListener('message', listener);
  worker.addEventListener('message', listener);
  worker.addEventListener('message', object, { once: true });
  worker.onmessage = (event) => seen.push(['on', event.data]);
  worker.postMessage(1);
  await once(worker, 'message');
  worker.removeEventListener('message', listener);
  worker.onmessage = null;
  expect(worker.onmessage).toBeNull();
  worker.postMessage(2);
  await once(worker, 'message');
  expect(seen).toEqual([
    ['fn', 'message', 1],
    ['object', 1],
    ['on', 1],
  ]);
  worker.onerror = (event) => seen.push(event.error.message, event.message);
  worker.postMessage('throw');
  await once(worker, 'exit');
  expect(seen.slice(3)).toEqual(['out', 'out']);
});

test("the web's events can be dispatched", async () => {
  const worker = await up();
  const seen = [];
  const listener = { handleEvent: (event) => seen.push(['object', event]) };
  const event = new Event('message', { cancelable: true });
  worker.onmessage = (given) => given.preventDefault();
  worker.addEventListener('message', listener, { once: true });
  expect(worker.dispatchEvent(event)).toBe(false);
  expect(worker.dispatchEvent(new Event('message'))).toBe(true);
  expect(seen).toEqual([['object', event]]);
  worker.onmessageerror = () => {};
  expect(worker.onmessageerror).toBeInstanceOf(Function);
  expect(worker.dispatchEvent(new Event('messageerror'))).toBe(true);
  worker.onmessageerror = null;
  expect(worker.onmessageerror).toBeNull();
  await worker.terminate();
});

test('buffers are moved by a list, and by what holds one', async () => {
  const worker = await up();
  const first = new Uint8Array([1]);
  const second = new Uint8Array([2]);
  worker.postMessage(first, [first.buffer]);
  expect(first.byteLength).toBe(0);
  expect(await once(worker, 'message')).toEqual([new Uint8Array([1])]);
  worker.postMessage(second, { transfer: [second.buffer] });
  expect(second.byteLength).toBe(0);
  expect(await once(worker, 'message')).toEqual([new Uint8Array([2])]);
  worker.postMessage(3, {});
  expect(await once(worker, 'message')).toEqual([3]);
  await worker.terminate();
});

test("the web's names in the worker", async () => {
  const worker = await up({ module: fixture('web-worker.mjs') });
  worker.postMessage({ a: 1 });
  expect(await once(worker, 'message')).toEqual([{ got: { a: 1 } }]);
  worker.postMessage('close');
  expect(await once(worker, 'exit')).toEqual([0, undefined]);
});

test('a module that waits for its first message is up', async () => {
  const worker = await up({ module: fixture('waiting-worker.mjs') });
  worker.postMessage('first');
  expect(await once(worker, 'message')).toEqual(['first']);
  await worker.terminate();
});

test('a module that has nothing to do was up before it ended', async () => {
  const ends = Array.from({ length: 60 }, async () => {
    const worker = createMessageWorker({ module: 'data:text/javascript,1' });
    const seen = [];
    for (const type of ['online', 'error']) {
      worker.on(type, () => seen.push(type));
    }
    const [code] = await once(worker, 'exit');
    return [...seen, code];
  });
  for (const seen of await Promise.all(ends)) {
    expect(seen).toEqual(['online', 0]);
  }
});

test('a module that exits while it waits never was up', async () => {
  const wait = 'await new Promise(() => setTimeout(() => process.exit(3)))';
  const module = `data:text/javascript,${wait}`;
  const worker = createMessageWorker({ module });
  const online = jest.fn();
  worker.on('online', online);
  const [code] = await once(worker, 'exit');
  expect(code).toBe(3);
  expect(online).not.toHaveBeenCalled();
});

test('no thread or isolate number is to be seen', async () => {
  const worker = await up();
  expect(worker.threadId).toBeUndefined();
  await worker.terminate();
});

test('a runtime it does not have and a missing module are refused', () => {
  expect(() => createMessageWorker({ source: '', runtime: 'x' })).toThrow(
    TypeError,
  );
  expect(() => createMessageWorker({})).toThrow(TypeError);
});

test.each(['https://example.org/worker.mjs', 'blob:nodedata:1'])(
  'a module from %s is refused at once',
  (module) => {
    let refused;
    try {
      createMessageWorker({ module });
    } catch (error) {
      refused = error;
    }
    expect(refused.code).toBe('SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED');
    expect(refused.cause.message).toMatch(/a path, or a file: or data: URL/);
  },
);
