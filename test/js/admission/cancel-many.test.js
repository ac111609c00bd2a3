'use strict';

const { WorkQueue } = require('../../../lib/pool/work-queue.js');
const {
  WorkerCancellationController,
} = require('../../../lib/signals/cancellation.js');

const JOBS = 100;
const never = () => new Promise(() => {});

function cancelTogether(queue, controller) {
  const { signal } = controller;
  const errors = Array.from({ length: JOBS }, (_, i) =>
    queue.enqueue(i, { signal }).catch((error) => error),
  );
  return {
    errors,
    finish: () => (controller.abort ?? controller.cancel).call(controller),
  };
}

function stopTogether(queue) {
  const errors = Array.from({ length: JOBS }, (_, i) =>
    queue.enqueue(i).catch((error) => error),
  );
  return { errors, finish: () => queue.stop({ drain: false }) };
}

describe.each([
  ['a signal', (queue) => cancelTogether(queue, new AbortController())],
  [
    'a signal of ours',
    (queue) => cancelTogether(queue, new WorkerCancellationController()),
  ],
  ['a stop', stopTogether],
])('many jobs that %s ends', (_name, submit) => {
  const { stackTraceLimit } = Error;
  beforeEach(() => {
    Error.stackTraceLimit = 50;
  });
  afterEach(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });

  async function errorsOf() {
    const queue = WorkQueue.create('queue', { maxQueued: JOBS }).process(never);
    queue.enqueue('first');
    const { errors, finish } = submit(queue);
    finish();
    return Promise.all(errors);
  }

  test('each have an error of their own, with the stack', async () => {
    const errors = await errorsOf();
    expect(new Set(errors).size).toBe(JOBS);
    const [{ code, message }] = errors;
    for (const error of errors) {
      expect(error).toMatchObject({ code, message });
      expect(Object.keys(error)).toEqual(['code', 'hint']);
      expect(error.stack).toMatch(/^SloppyWorkerError: SLOPPY_E_/);
      expect(error.stack).toContain('cancel-many.test.js');
    }
    expect(Error.stackTraceLimit).toBe(50);
  });

  test('share what was captured for the first of them', async () => {
    const { prepareStackTrace } = Error;
    let formatted = 0;
    Error.prepareStackTrace = (error) => {
      formatted += 1;
      return `${error}\n    at nowhere`;
    };
    try {
      const errors = await errorsOf();
      expect(errors.every(({ stack }) => stack.endsWith('nowhere'))).toBe(true);
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    expect(formatted).toBeGreaterThan(0);
    expect(formatted).toBeLessThan(JOBS / 2);
  });

  test('have whatever a formatter of stacks makes of them', async () => {
    const { prepareStackTrace } = Error;
    Error.prepareStackTrace = () => {
      throw new Error('no');
    };
    let errors;
    try {
      errors = await errorsOf();
    } finally {
      Error.prepareStackTrace = prepareStackTrace;
    }
    expect(errors.every(({ code }) => /^SLOPPY_E_WORK/.test(code))).toBe(true);
  });

  test('fail likewise where nobody can change the limit', async () => {
    const define = (writable) =>
      Object.defineProperty(Error, 'stackTraceLimit', { value: 50, writable });
    define(false);
    let errors;
    try {
      errors = await errorsOf();
    } finally {
      define(true);
    }
    expect(errors.at(-1).stack).toContain('cancel-many.test.js');
  });
});
