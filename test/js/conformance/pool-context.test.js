'use strict';
// Sections 3.1 and 4.2: `ctx = { input, signal, deadline, emit }` is an object
// whose members can be listed, copied and taken apart.

const {
  createPool,
  moduleFile,
  rejection,
  startWorker,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

const MEMBERS = ['input', 'signal', 'deadline', 'emit'];
const keys = (context) => [
  Object.keys(context),
  Object.keys({ ...context }),
  (({ input: _input, ...rest }) => Object.keys(rest))(context),
];

test('its own members are those of the specification', async () => {
  const pool = createPool();
  const expected = [MEMBERS, MEMBERS, MEMBERS.slice(1)];
  expect(await pool.run(keys)).toEqual(expected);
  expect(await pool.run(keys, { input: 1, timeoutMs: 60_000 })).toEqual(
    expected,
  );
});

// However a function comes by it.
test.each([
  'context => Object.keys(context)',
  'async context => Object.keys(context)',
  '(context = {}) => Object.keys(context)',
  '(...all) => Object.keys(all[0])',
  '(/* (a) */ context /* ) */) => Object.keys(context)',
  '({ ...all }) => Object.keys(all)',
  'function () { return Object.keys(arguments[0]); }',
  'function (context) { return Object.keys(context); }',
  'function ({ input }) { return Object.keys(arguments[0]); }',
  'function () { return Object.keys(eval("argu" + "ments[0]")); }',
  'function () { return Object.keys(\\u0061rguments[0]); }',
])('%s', async (text) => {
  const fn = new Function(`return ${text}`)();
  expect(await createPool().run(fn)).toEqual(MEMBERS);
});

test('a method does, whatever its key looks like', async () => {
  const object = {
    'a({})'(context) {
      return Object.keys(context);
    },
  };
  expect(await createPool().run(object['a({})'])).toEqual(MEMBERS);
});

test('an export gets the same', async () => {
  const worker = await startWorker(`
    export const plain = (_payload, context) => Object.keys(context);
    export function list() { return Object.keys(arguments[1]); }
    export const first = (_payload, { signal, ...rest }) => Object.keys(rest);
    export const rest = ({ a }, ...all) => Object.keys(all[0]);
    export const nested = ({ a: { b }, c }, context) => Object.keys(context);
    export const bound = ((...all) => Object.keys(all[1])).bind(null);
    export const named = ({ a: { b }, c }, { emit, signal }) =>
      [typeof emit, typeof signal.cancelled];
  `);
  const payload = { a: { b: 1 }, c: 2 };
  for (let round = 0; round < 2; round += 1) {
    for (const name of ['plain', 'list', 'rest', 'nested', 'bound']) {
      expect(await worker.invoke(name, payload)).toEqual(MEMBERS);
    }
    expect(await worker.invoke('first', payload)).toEqual([
      'input',
      'deadline',
      'emit',
    ]);
    expect(await worker.invoke('named', payload)).toEqual([
      'function',
      'boolean',
    ]);
  }
});

test('and what the pool adds to them', async () => {
  const module = moduleFile('export const init = () => ({ ready: true });');
  const pool = createPool({ host: { twice: (n) => 2 * n }, init: { module } });
  const [own] = await pool.run(keys);
  expect(own).toEqual([...MEMBERS, 'host', 'state']);
  const copied = await pool.run(
    async (context) => {
      const { host, state, input } = { ...context };
      return [await host.twice(input), state.ready];
    },
    { input: 4 },
  );
  expect(copied).toEqual([8, true]);
});

test('a pool without functions has none to call', async () => {
  const pool = createPool();
  expect(
    await pool.run((context) => [
      Object.keys(context.host),
      'host' in { ...context },
      context.state === undefined,
      context.trace === undefined,
    ]),
  ).toEqual([[], false, true, true]);
});

test.each([1, 4])('a copy works, %i at a time', async (jobs) => {
  const pool = createPool({
    concurrentJobsPerWorker: jobs,
    cancelGraceMs: 60_000,
  });
  const controller = new AbortController();
  const heard = [];
  const cancelled = pool.run(
    async (context) => {
      const copy = { ...context };
      const reason = await new Promise((resolve) => {
        copy.signal.addEventListener('abort', resolve);
        copy.emit(copy.deadline.expired);
      });
      return reason;
    },
    {
      signal: controller.signal,
      timeoutMs: 60_000,
      onMessage: (value) => {
        heard.push(value);
        controller.abort('enough');
      },
    },
  );
  expect((await rejection(cancelled)).code).toBe('SLOPPY_E_WORK_JOB_CANCELLED');
  expect(heard).toEqual([false]);
  await pool.drain();
  expect(await pool.run(() => 'next')).toBe('next');
});

test('a setter on Object.prototype sees nothing of it', async () => {
  const pool = createPool();
  await pool.run(() => {
    globalThis.seen = [];
    for (const name of ['input', 'signal', 'deadline', 'emit']) {
      Object.defineProperty(Object.prototype, name, {
        set: (value) => globalThis.seen.push(value),
        configurable: true,
      });
    }
  });
  const read = ({ input, emit }) => [input, typeof emit, globalThis.seen];
  expect(await pool.run(read, { input: 5, timeoutMs: 60_000 })).toEqual([
    5,
    'function',
    [],
  ]);
});

test('what is emitted is a payload: undefined becomes null', async () => {
  const values = [];
  const onMessage = (value) => values.push(value);
  const emit = ({ emit: send }) => {
    send();
    send(undefined);
    send([undefined]);
    send({ left: undefined });
  };
  await createPool().run(emit, { onMessage });
  expect(values).toEqual([null, null, [null], {}]);
  const worker = await startWorker(
    'export const send = () => { postMessage(); postMessage(1) };',
  );
  const posted = [];
  worker.onMessage((value) => posted.push(value));
  await worker.invoke('send');
  expect(posted).toEqual([null, 1]);
});
