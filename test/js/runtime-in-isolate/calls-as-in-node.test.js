'use strict';

// Every function and class of these built-ins is called with nothing and with
// each value that does not fit: an isolate answers and refuses as a thread of
// Node's does, with the same name, code and message.

const { bothPlaces } = require('../support/both-places.js');

const MODULES = [
  ...['assert', 'buffer', 'crypto', 'diagnostics_channel', 'events', 'path'],
  ...['querystring', 'stream', 'string_decoder', 'url', 'util', 'v8', 'zlib'],
];

// Names of functions that differ for a reason (docs/runtime.md), or whose answer
// is another one each time.
const LEFT_OUT = [
  // Node quotes the line of its own call of a function without one.
  /^assert\.(ok|strict)\b/,
  // Memory that nobody has written.
  /\b(allocUnsafe|allocUnsafeSlow|SlowBuffer|_fromList)$/,
  // Random, or long in coming.
  /^crypto\.(check|generate|getRandom|random|scrypt|pbkdf2|pseudo|prng|rng)/,
  /^crypto\.(createDiffieHellman|secureHeapUsed|setFips|setEngine)/,
  // Node's end the process, or tell of what an earlier call has left behind.
  /^crypto\.(Certificate|Hash$|createHash$)/,
  // Not there, or about files.
  /^crypto\.(parsePKCS12|(create)?(Cipher|Decipher))$/,
  /^(util\.setTraceSigInt|zlib\.ZipFile|util\.getCallSites?)/,
  // It works on what the tests give others, after them.
  /^stream\.(\w+\.)?destroy$/,
  // Figures, and what concerns the process.
  /^v8\.(get|queryObjects|set|start|stop|take|write|GCProfiler)/,
  // A native class, which says more.
  /^url\.URLPattern$/,
  // The names of scripts, of the process's arguments, of what is inside.
  /^util\.(parseArgs|debuglog|debug|inspect)$/,
  // Their messages have the text of a function.
  /\.(Readable|Writable)State$/,
];

// This runs in an isolate and on a thread.
async function answersOf({ input: { module, leftOut } }) {
  const { inspect } = await import('node:util');
  const isLeftOut = new RegExp(leftOut);
  const values = {
    nothing: [],
    undefined: [undefined],
    null: [null],
    zero: [0],
    negative: [-1],
    fraction: [1.5],
    NaN: [Number.NaN],
    empty: [''],
    text: ['abc'],
    object: [{}],
    list: [[]],
    symbol: [Symbol('s')],
    bigint: [1n],
    bytes: [Buffer.from('xyz')],
    function: [function f() {}],
    true: [true],
    two: ['abc', {}],
    three: ['abc', 'abc', Symbol('s')],
  };
  const described = (value) => {
    if (typeof value === 'function') return `${value.name}/${value.length}`;
    if (typeof value?.then === 'function') return 'a promise';
    if (!(value instanceof Error)) {
      const text = inspect(value, { depth: 0, breakLength: Infinity });
      // Unwritten memory, numbers of resources and inner parts differ.
      return text
        .replaceAll(/_outBuffer: .*?>|[aA]syncId: \d+/g, '')
        .replaceAll(/,? ?\[?Symbol\(\w+\)\]?: (\[\w+\]|'\w+')/g, '')
        .replace('{ }', '{}');
    }
    // The text of functions is not Node's.
    if (value.message.endsWith(' is not a constructor')) return 'no class';
    const { code, message, name } = value;
    // Node's tells of one that an earlier call has left behind.
    if (String(code).startsWith('ERR_OSSL_')) return "one of OpenSSL's";
    return [name, value.constructor.name, code, message, Object.keys(value)];
  };
  const answers = {};
  const settled = [];
  const call = (name, work) => {
    const promises = Object.entries(values).map(async ([kind, list]) => {
      const key = `${name} ${kind}`;
      try {
        const answer = work(list);
        if (typeof answer?.on === 'function') answer.on('error', () => {});
        answers[key] = described(answer);
        if (answer instanceof Promise) {
          // Those that are refused are refused at once; others wait for events.
          const turn = new Promise((resolve) => setImmediate(resolve, 'waits'));
          answers[key] = described(await Promise.race([answer, turn]));
        }
      } catch (error) {
        answers[key] = described(error);
      }
    });
    settled.push(...promises);
  };
  const { default: exports } = await import(`node:${module}`);
  for (const [key, value] of Object.entries(exports)) {
    const name = `${module}.${key}`;
    if (typeof value !== 'function') continue;
    if (isLeftOut.test(name)) continue;
    call(name, (list) => Reflect.apply(value, exports, list));
    if (/^[A-Z]/.test(key)) {
      call(`new ${name}`, (list) => Reflect.construct(value, list));
    }
    for (const [own, method] of Object.entries(value)) {
      const longer = `${name}.${own}`;
      if (typeof method !== 'function' || own === 'super_') continue;
      if (isLeftOut.test(longer)) continue;
      call(longer, (list) => Reflect.apply(method, value, list));
    }
  }
  await Promise.all(settled);
  return answers;
}

// This too.
async function shapesOf({ input: { module, leftOut } }) {
  const isLeftOut = new RegExp(leftOut);
  const { default: exports } = await import(`node:${module}`);
  return Object.entries(exports)
    .filter(([, value]) => typeof value === 'function')
    .filter(([name]) => !isLeftOut.test(`${module}.${name}`))
    .map(([name, value]) => [name, value.name, value.length])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

// Natives have a name in Node 20, and some or none in later ones: one of ours may
// have its own.
function expectShapes(ours, theirs) {
  const nameless = new Set(
    theirs.filter(([, name]) => name === '').map(([key]) => key),
  );
  const shown = ours.map(([key, name, length]) => [
    key,
    nameless.has(key) && name === key ? '' : name,
    length,
  ]);
  expect(shown).toEqual(theirs);
}

describe('functions of built-ins are those of Node', () => {
  const places = bothPlaces();
  const leftOut = LEFT_OUT.map(({ source }) => source).join('|');

  test.each(MODULES)(
    '%s answers and refuses what does not fit',
    async (module) => {
      const input = { module, leftOut };
      const { isolates, threads } = places;
      const expected = await threads.run(answersOf, { input });
      expect(Object.keys(expected).length).toBeGreaterThan(10);
      expect(await isolates.run(answersOf, { input })).toEqual(expected);
    },
  );

  test.each([...MODULES.filter((name) => name !== 'crypto'), 'util/types'])(
    '%s has their names and lengths',
    async (module) => {
      const input = { module, leftOut };
      const { isolates, threads } = places;
      expectShapes(
        await isolates.run(shapesOf, { input }),
        await threads.run(shapesOf, { input }),
      );
    },
  );

  test('texts of bytes have the names of their functions', async () => {
    const { isolates, threads } = places;
    const namesOf = () =>
      Object.entries(Object.getOwnPropertyDescriptors(Buffer.prototype))
        .filter(([, { value }]) => typeof value === 'function')
        .map(([key, { value }]) => [key, value.name, value.length]);
    expectShapes(await isolates.run(namesOf), await threads.run(namesOf));
  });
});
