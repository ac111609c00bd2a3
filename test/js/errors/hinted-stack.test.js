'use strict';
// The hint in the stack, which is all that many test runners print.

const { spawnSync } = require('node:child_process');
const { inspect } = require('node:util');
const { withHint } = require('../../../lib/errors/hint.js');
const { SharedStack } = require('../../../lib/errors/shared-stack.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  SloppyWorkerError,
  workerError,
} = require('../../../lib/protocol/sloppy-worker-error.js');

const PATH = require.resolve('../../../lib/protocol/sloppy-worker-error.js');
const timesIn = (text, part) => text.split(part).length - 1;
const full = (hint) => withHint(workerError(Code.QueueFull, 'no room'), hint);
const headerOf = ({ stack }) => stack.split(/\n {4}at /)[0];
const HEADER =
  'SloppyWorkerError: SLOPPY_E_WORK_QUEUE_FULL: no room\n  hint: go away';

test('stands below the message, above the frames', () => {
  const error = full('go away');
  expect(headerOf(error)).toBe(HEADER);
  expect(error.stack).toMatch(/\n {4}at .*hinted-stack\.test\.js/);
  expect(error.stack).not.toContain('new SloppyWorkerError');
  expect(error.message).toBe('SLOPPY_E_WORK_QUEUE_FULL: no room');
  expect(String(error)).toBe(`SloppyWorkerError: ${error.message}`);
});

test.each([undefined, '', 7])('is absent if it is %p', (hint) => {
  const error = new SloppyWorkerError('E_OTHER', 'x');
  error.hint = hint;
  expect(headerOf(error)).toBe('SloppyWorkerError: E_OTHER: x');
});

test('a subclass has its own constructor above the frames', () => {
  class Special extends SloppyWorkerError {
    name = 'Special';
  }
  const error = new Special(Code.Crashed, 'x');
  expect(headerOf(error)).toBe(
    `Special: ${error.message}\n  hint: ${error.hint}`,
  );
  expect(error.stack).not.toContain('new Special');
});

test('the limit of frames holds, and stays', () => {
  const limit = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = 2;
    const error = full('go away');
    expect(Error.stackTraceLimit).toBe(2);
    expect(timesIn(error.stack, '\n    at ')).toBe(2);
    Error.stackTraceLimit = 0;
    const message = 'SLOPPY_E_WORK_QUEUE_FULL: no room';
    expect(full('x').stack).toBe(`SloppyWorkerError: ${message}`);
    const thrower = () =>
      new SloppyWorkerError(Code.Crashed, 'x', {
        get cause() {
          throw new RangeError('mine');
        },
      });
    Error.stackTraceLimit = 5;
    expect(thrower).toThrow('mine');
    expect(Error.stackTraceLimit).toBe(5);
  } finally {
    Error.stackTraceLimit = limit;
  }
});

test('Error.prepareStackTrace gets what looks like the error', () => {
  const before = Error.prepareStackTrace;
  try {
    Error.prepareStackTrace = (error, frames) => [
      error instanceof Error,
      String(error),
      frames.length > 0,
    ];
    expect(full('go away').stack).toEqual([true, HEADER, true]);
  } finally {
    Error.prepareStackTrace = before;
  }
});

test('an error is made whatever formatters and limits do', () => {
  const before = Object.getOwnPropertyDescriptors(Error);
  const fail = () => {
    throw new TypeError('no');
  };
  let error;
  try {
    Error.prepareStackTrace = fail;
    Object.defineProperty(Error, 'stackTraceLimit', { get: fail, set: fail });
    error = full('go away');
    error.stack = 'mine';
  } finally {
    Object.defineProperty(Error, 'stackTraceLimit', before.stackTraceLimit);
    Error.prepareStackTrace = before.prepareStackTrace?.value;
  }
  expect(error.stack).toBe('mine');
});

test('no stack is formatted before it is asked for', () => {
  const before = Error.prepareStackTrace;
  let count = 0;
  try {
    Error.prepareStackTrace = () => {
      count += 1;
    };
    full('go away');
  } finally {
    Error.prepareStackTrace = before;
  }
  expect(count).toBe(0);
});

test('the stack can be replaced and captured anew', () => {
  const error = full('go away');
  error.stack = 'mine';
  expect(Object.getOwnPropertyDescriptor(error, 'stack')).toEqual({
    value: 'mine',
    writable: true,
    enumerable: false,
    configurable: true,
  });
  Error.captureStackTrace(error);
  expect(error.stack).toContain('no room\n    at ');
});

test('errors that share a stack have the hint', () => {
  const shared = new SharedStack();
  for (let i = 0; i < 40; i++) {
    const error = shared.error(Code.JobCancelled);
    expect(headerOf(error)).toContain(`\n  hint: ${error.hint}`);
  }
});

test('an error can be cloned', () => {
  const clone = structuredClone(full('go away'));
  expect(clone.message).toBe('SLOPPY_E_WORK_QUEUE_FULL: no room');
  expect(typeof clone.stack).toBe('string');
});

describe('util.inspect', () => {
  test('shows the hint once, and all the rest', () => {
    const error = full('go away');
    error.more = { when: new Date(0) };
    const text = inspect(error);
    expect(timesIn(text, 'go away')).toBe(1);
    expect(text.startsWith(`${HEADER}\n    at `)).toBe(true);
    expect(text).toContain("code: 'SLOPPY_E_WORK_QUEUE_FULL'");
    expect(text).toContain('more: { when: 1970-01-01T00:00:00.000Z }');
    expect(text).not.toContain('inspect.custom');
    expect(error.hint).toBe('go away');
  });

  test('shows a hint that the stack has not', () => {
    const error = full('go away');
    error.stack = 'mine';
    expect(inspect(error)).toContain("hint: 'go away'");
    const read = full('old');
    expect(read.stack).toContain('old');
    read.hint = 'new';
    expect(inspect(read)).toContain("hint: 'new'");
  });

  test('shows changes, each time', () => {
    const error = full('go away');
    error.first = 1;
    expect(inspect(error)).toContain('first: 1');
    delete error.first;
    error.second = 2;
    expect(inspect(error)).not.toContain('first');
    expect(inspect(error)).toContain('second: 2');
  });

  test('shows causes, circles and frozen errors', () => {
    const cause = new RangeError('below');
    const error = workerError(Code.JobFailed, 'x', { cause });
    cause.owner = error;
    const text = inspect(error, { depth: null });
    expect(text).toContain('[cause]: RangeError: below');
    expect(text).toContain('[Circular *1]');
    expect(timesIn(text, error.hint)).toBe(1);
    Object.freeze(error);
    expect(inspect(error)).toContain('[cause]');
    expect(inspect(error)).toContain('[cause]');
  });

  test('shows it once within others, indented and coloured', () => {
    const error = full('go away');
    const text = inspect({ error }, { colors: true });
    expect(timesIn(text, 'go away')).toBe(1);
    expect(text).toContain('\n    hint: go away\n');
    expect(inspect({ a: { b: { error } } }, { depth: 0 })).toContain('Object');
    const all = inspect(new AggregateError([error], 'all'));
    expect(timesIn(all, 'go away')).toBe(1);
  });

  test('names a subclass', () => {
    class Special extends SloppyWorkerError {}
    expect(inspect(new Special(Code.Crashed))).toMatch(
      /^Special(?: \[SloppyWorkerError\])?: SLOPPY|^SloppyWorkerError: SLOPPY/,
    );
  });

  test('leaves the prototype alone', () => {
    expect(typeof inspect(SloppyWorkerError.prototype)).toBe('string');
    expect(Object.keys(SloppyWorkerError.prototype)).toEqual([]);
  });
});

function nodePrints(...args) {
  const { stderr, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 120_000,
  });
  return stdout + stderr;
}

const MAKE = `require(${JSON.stringify(PATH)}).workerError('${Code.QueueFull}')`;

test('a program that crashes shows the hint in the stack', () => {
  const text = nodePrints('-e', `throw ${MAKE}`);
  const { hint } = workerError(Code.QueueFull);
  expect(text).toContain(`\n  hint: ${hint}\n    at `);
});

test.each([
  ['thrown', `throw ${MAKE}`],
  ['a rejection', `Promise.reject(${MAKE})`],
  ['a cause', `throw new Error('x', { cause: ${MAKE} })`],
])('an uncaught one shows it once: %s', (_what, program) => {
  const text = nodePrints('-e', program);
  expect(timesIn(text, workerError(Code.QueueFull).hint)).toBe(1);
  expect(text).toContain(`code: '${Code.QueueFull}'`);
});

test('who catches it has the property', () => {
  const program =
    "process.on('uncaughtException', (error) => " +
    `console.log(Object.keys(error).join())); throw ${MAKE}`;
  expect(nodePrints('-e', program)).toBe('code,hint\n');
});

test('console.log shows it once', () => {
  const text = nodePrints('-e', `console.log(${MAKE})`);
  expect(timesIn(text, workerError(Code.QueueFull).hint)).toBe(1);
});

test.each(['--frozen-intrinsics', '--enable-source-maps'])(
  'has it with %s',
  (flag) => {
    const program = `const e = ${MAKE}; console.log(e.stack, e.message)`;
    const text = nodePrints('--no-warnings', flag, '-e', program);
    const { hint, message } = workerError(Code.QueueFull);
    expect(text).toContain(
      `SloppyWorkerError: ${message}\n  hint: ${hint}\n    at `,
    );
  },
);
