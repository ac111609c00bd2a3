'use strict';

const vm = require('node:vm');
const {
  Code,
  DIAGNOSTICS,
} = require('../../../lib/protocol/diagnostics.gen.js');
const {
  SloppyWorkerError,
  workerError,
} = require('../../../lib/protocol/sloppy-worker-error.js');

function secondCopy() {
  let copy;
  jest.isolateModules(() => {
    copy = require('../../../lib/protocol/sloppy-worker-error.js');
  });
  return copy;
}

test('is an Error with name, code and a code-prefixed message', () => {
  const error = new SloppyWorkerError(Code.QueueFull, 'no room');
  expect(error).toBeInstanceOf(Error);
  expect(error).toBeInstanceOf(SloppyWorkerError);
  expect(error.name).toBe('SloppyWorkerError');
  expect(error.code).toBe('SLOPPY_E_WORK_QUEUE_FULL');
  expect(error.message).toBe('SLOPPY_E_WORK_QUEUE_FULL: no room');
  expect(error.stack).toMatch(
    /^SloppyWorkerError: SLOPPY_E_WORK_QUEUE_FULL: no room\n/,
  );
  expect('cause' in error).toBe(false);
  expect(Object.keys(error)).toEqual(['code', 'hint']);
});

test.each([undefined, null, 'text', { secret: 1 }])(
  'keeps cause %p',
  (cause) => {
    const error = new SloppyWorkerError(Code.JobFailed, 'failed', { cause });
    expect(error.cause).toBe(cause);
    expect(Object.hasOwn(error, 'cause')).toBe(true);
  },
);

test('takes null options as none', () => {
  expect('cause' in new SloppyWorkerError(Code.Crashed, 'x', null)).toBe(false);
});

test('every code has a default message and a hint from the table', () => {
  const codes = Object.values(Code);
  expect(codes).toHaveLength(20);
  for (const code of codes) {
    const error = workerError(code);
    expect(error.message).toBe(`${code}: ${DIAGNOSTICS[code].message}`);
    expect(error.hint).toBe(DIAGNOSTICS[code].hint);
  }
});

test('a foreign code has no hint, nor has one named like an object member', () => {
  expect(new SloppyWorkerError('E_OTHER', 'x').hint).toBeUndefined();
  expect(new SloppyWorkerError('toString', 'x').hint).toBeUndefined();
});

test('spreads and loggers get the hint', () => {
  const error = workerError(Code.QueueFull);
  expect({ ...error }).toEqual({ code: Code.QueueFull, hint: error.hint });
});

test('the cause stays out of message and stack', () => {
  const cause = new Error('s3cret');
  const error = workerError(Code.JobFailed, undefined, { cause });
  expect(error.message + error.stack).not.toContain('s3cret');
});

test('instanceof holds across copies of the module, both ways', () => {
  const copy = secondCopy();
  expect(copy.SloppyWorkerError).not.toBe(SloppyWorkerError);
  expect(copy.workerError(Code.Crashed)).toBeInstanceOf(SloppyWorkerError);
  expect(workerError(Code.Crashed)).toBeInstanceOf(copy.SloppyWorkerError);
});

test('instanceof is asked in another realm', () => {
  const context = vm.createContext({
    SloppyWorkerError,
    error: workerError(Code.Crashed),
  });
  const run = (code) => vm.runInContext(code, context);
  expect(run('error instanceof SloppyWorkerError')).toBe(true);
  expect(run('new Error("x") instanceof SloppyWorkerError')).toBe(false);
});

test.each([
  new Error('x'),
  { name: 'SloppyWorkerError', code: 'x' },
  null,
  undefined,
  'text',
  SloppyWorkerError.prototype,
])('%p is no instance', (value) => {
  expect(value instanceof SloppyWorkerError).toBe(false);
});

test('a subclass tells its own instances from others', () => {
  class Special extends SloppyWorkerError {}
  const special = new Special(Code.Crashed, 'x');
  expect(special).toBeInstanceOf(Special);
  expect(special).toBeInstanceOf(SloppyWorkerError);
  expect(workerError(Code.Crashed) instanceof Special).toBe(false);
});
