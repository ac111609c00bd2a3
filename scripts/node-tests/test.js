'use strict';
// The part of node:test that Node's tests take. Tests run one after another,
// and the first failure is the file's.

const assert = require('node:assert');

let last = Promise.resolve();
let failure;
let suite;

const nothing = () => {};

function queue(work) {
  last = last.then(work).catch((error) => {
    failure ??= error;
  });
  return last;
}

function readArguments(values) {
  const isOptions = (value) => typeof value === 'object' && value !== null;
  return {
    run: values.find((value) => typeof value === 'function') ?? nothing,
    options: values.find(isOptions) ?? {},
  };
}

// A function whose calls are kept.
function spy(original = nothing, given = original) {
  const calls = [];
  let implementation = given;
  const wrapped = function (...values) {
    const call = { arguments: values, this: this };
    calls.push(call);
    try {
      call.result = new.target
        ? Reflect.construct(implementation, values)
        : Reflect.apply(implementation, this, values);
    } catch (error) {
      call.error = error;
      throw error;
    }
    return call.result;
  };
  wrapped.mock = {
    calls,
    callCount: () => calls.length,
    resetCalls: () => calls.splice(0),
    mockImplementation(next) {
      implementation = next;
    },
    restore: nothing,
  };
  return wrapped;
}

const undone = [];
const mock = {
  fn: spy,
  method(object, name, given) {
    const own = Object.getOwnPropertyDescriptor(object, name);
    const value = spy(object[name], given);
    Object.defineProperty(object, name, {
      value,
      writable: true,
      configurable: true,
    });
    undone.push(() => {
      if (own === undefined) delete object[name];
      else Object.defineProperty(object, name, own);
    });
    return value;
  },
  restoreAll() {
    for (const undo of undone.splice(0)) undo();
  },
};

function contextOf(after) {
  return {
    after: (hook) => after.push(hook),
    assert,
    before: nothing,
    beforeEach: nothing,
    diagnostic: nothing,
    mock,
    name: 'test',
    plan: nothing,
    signal: new AbortController().signal,
    skip: nothing,
    test: (...values) => runTest(readArguments(values)),
    todo: nothing,
  };
}

async function call(run, context) {
  if (run.length < 2) return run.call(context, context);
  return new Promise((resolve, reject) => {
    run.call(context, context, (error) => (error ? reject(error) : resolve()));
  });
}

async function runTest({ run, options }, owner) {
  if (options.skip || options.todo) return;
  const after = [];
  const context = contextOf(after);
  const hooks = (kind) => {
    const all = [];
    for (let each = owner; each; each = each.parent) all.unshift(...each[kind]);
    return all;
  };
  try {
    for (const hook of hooks('beforeEach')) await hook(context);
    await call(run, context);
  } finally {
    for (const hook of after) await hook();
    for (const hook of hooks('afterEach')) await hook(context);
    mock.restoreAll();
  }
}

function test(...values) {
  const given = readArguments(values);
  if (suite === undefined) return queue(() => runTest(given));
  const owner = suite;
  owner.work.push(() => runTest(given, owner));
  return Promise.resolve();
}

function describe(...values) {
  const { run, options } = readArguments(values);
  if (options.skip || options.todo) return Promise.resolve();
  const own = {
    parent: suite,
    work: [],
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  };
  suite = own;
  let made;
  try {
    made = run.call({}, contextOf([]));
  } finally {
    suite = own.parent;
  }
  const all = async () => {
    await made;
    for (const hook of own.before) await hook();
    for (const work of own.work) await work();
    for (const hook of own.after) await hook();
  };
  if (own.parent === undefined) return queue(all);
  own.parent.work.push(all);
  return Promise.resolve();
}

const skipped = () => Promise.resolve();
for (const each of [test, describe]) {
  each.skip = skipped;
  each.todo = skipped;
  each.only = each;
}
const hook = (kind) => (run) => {
  if (suite !== undefined) suite[kind].push(run);
  else if (kind === 'before') queue(run);
};

module.exports = Object.assign(test, {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  describe,
  it: test,
  mock,
  suite: describe,
  test,
  /** Rejects with the first failure, once all have run. */
  async settled() {
    await last;
    if (failure !== undefined) throw failure;
  },
});
