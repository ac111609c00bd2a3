'use strict';
// The part of `test/common` that Node's tests take, without files and
// processes. entry.cjs asks in the end for the checks of mustCall.

const assert = require('node:assert');
const { inspect } = require('node:util');

const nothing = () => {};
const wanted = [];
const state = { error: undefined };

class Skip extends Error {}

function remember(error) {
  state.error ??= error;
}

/** A function that must be called so often: `exact` times, or at least. */
function counted(fn, exact, isEnough) {
  const run = typeof fn === 'function' ? fn : nothing;
  const times = typeof fn === 'number' ? fn : exact;
  const row = { times, calls: 0, isEnough, place: new Error('mustCall') };
  wanted.push(row);
  const wrapper = function (...values) {
    row.calls += 1;
    return Reflect.apply(run, this, values);
  };
  Object.defineProperties(wrapper, {
    name: { value: run.name, configurable: true },
    length: { value: run.length, configurable: true },
  });
  return wrapper;
}

const mustCall = (fn, times = 1) =>
  counted(fn, times, (calls, count) => calls === count);
const mustCallAtLeast = (fn, times = 1) =>
  counted(fn, times, (calls, count) => calls >= count);

function mustNotCall(message = 'function should not have been called') {
  const { stack } = new Error('mustNotCall');
  return (...values) => {
    const error = new assert.AssertionError({
      message: `${message}: ${inspect(values, { depth: 0 })}\n${stack}`,
    });
    remember(error);
    throw error;
  };
}

function mustSucceed(fn, times) {
  return mustCall((error, ...values) => {
    assert.ifError(error);
    if (typeof fn === 'function') return fn(...values);
    return undefined;
  }, times);
}

/** A check for assert.throws, or a callback that gets the error. */
function expectsError(check, times) {
  const isFunction = typeof check === 'function';
  return mustCall((...values) => {
    assert.strictEqual(values.length, 1);
    const [error] = values;
    if (isFunction) assert.ok(check(error));
    else
      assert.throws(() => {
        throw error;
      }, check);
    return true;
  }, times);
}

function expectWarning(nameOrMap, expected, code) {
  const map =
    typeof nameOrMap === 'string'
      ? { [nameOrMap]: [expected, code] }
      : nameOrMap;
  const open = new Map();
  for (const [name, given] of Object.entries(map)) {
    const isOne =
      !Array.isArray(given) ||
      (typeof given[0] === 'string' && !Array.isArray(given[1]));
    const rows = isOne ? [given].map((row) => [row].flat()) : given;
    open.set(
      name,
      rows.map((row) => [row].flat()),
    );
  }
  const count = [...open.values()].flat().length;
  const seen = mustCall(nothing, count);
  process.on('warning', (warning) => {
    const rows = open.get(warning.name);
    if (rows === undefined) return;
    const next = rows.shift();
    try {
      assert.ok(next, `an unexpected ${warning.name}: ${warning.message}`);
      const [message, code] = next;
      if (message instanceof RegExp) assert.match(warning.message, message);
      else assert.strictEqual(warning.message, message);
      if (typeof code === 'string') assert.strictEqual(warning.code, code);
      seen();
    } catch (error) {
      remember(error);
    }
  });
}

function skip(message) {
  throw new Skip(message);
}

function invalidArgTypeHelper(input) {
  if (input === undefined || input === null) return ` Received ${input}`;
  if (typeof input === 'function') return ` Received function ${input.name}`;
  if (typeof input === 'object') {
    const name = input.constructor?.name;
    if (name) return ` Received an instance of ${name}`;
    return ` Received ${inspect(input, { depth: -1 })}`;
  }
  const shown = inspect(input, { colors: false });
  const short = shown.length > 28 ? `${shown.slice(0, 25)}...` : shown;
  return ` Received type ${typeof input} (${short})`;
}

const VIEWS = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  DataView,
];

function getArrayBufferViews(buffer) {
  const { buffer: memory, byteOffset, byteLength } = buffer;
  return VIEWS.flatMap((View) => {
    const size = View.BYTES_PER_ELEMENT ?? 1;
    return byteLength % size === 0
      ? [new View(memory, byteOffset, byteLength / size)]
      : [];
  });
}

module.exports = {
  __suite: {
    Skip,
    state,
    missing: () =>
      wanted.filter(({ calls, times, isEnough }) => !isEnough(calls, times)),
  },
  allowGlobals: nothing,
  expectWarning,
  expectsError,
  getArrayBufferViews,
  getBufferSources: (buffer) => [
    ...getArrayBufferViews(buffer),
    new Uint8Array(buffer).buffer,
  ],
  hasCrypto: true,
  hasIntl: typeof Intl === 'object',
  hasFullICU: true,
  hasQuic: false,
  invalidArgTypeHelper,
  isASan: false,
  isDumbTerminal: true,
  isIBMi: false,
  isLinux: process.platform === 'linux',
  isMacOS: process.platform === 'darwin',
  isMainThread: true,
  isPi: () => false,
  isWindows: process.platform === 'win32',
  localhostIPv4: '127.0.0.1',
  mustCall,
  mustCallAtLeast,
  mustNotCall,
  mustNotMutateObjectDeep: (value) => value,
  mustSucceed,
  platformTimeout: (ms) => ms,
  printSkipMessage: nothing,
  skip,
  skipIf32Bits: nothing,
  skipIfEslintMissing: () => skip('no ESLint'),
  skipIfInspectorDisabled: () => skip('no inspector'),
  skipIfWorker: nothing,
  get enoughTestMem() {
    return true;
  },
};
