'use strict';
// Plain jobs, which are no objects: they get in under the same conditions as
// all others, or are left to `admit`.

const { admissionOf } = require('./small-admission.js');
const { CallKind } = require('../../../lib/admission/call.js');
const { Job } = require('../../../lib/admission/job.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { PullingExecutor } = require('./pulling-executor.js');

class ListedJob extends Job {
  prev = null;
  next = null;
}

class PlainExecutor extends PullingExecutor {
  takesPlain = true;
  plain = [];

  submitPlain(_entry, call, id) {
    return new Promise((resolve) => {
      this.plain.push({ resolve, id, bytes: call.encoding.bytes });
    });
  }
}

const callOf = (bytes = 1, kind = CallKind.Small) => ({
  kind,
  encoding: { bytes },
  limits: null,
});

function setUp(options) {
  const executor = new PlainExecutor();
  const admission = admissionOf(executor, options);
  const submit = (bytes) => {
    const promise = admission.admitPlain({}, callOf(bytes));
    return promise;
  };
  return { admission, executor, submit };
}

test('they have a place each, numbers in order, and count', async () => {
  const { admission, executor, submit } = setUp();
  const first = submit();
  const second = submit();
  expect(executor.plain.map(({ id }) => id)).toEqual([1, 2]);
  expect(submit()).toBeNull();
  expect(admission.inFlight).toBe(2);
  expect(admission.counters()).toMatchObject({ submitted: 2, completed: 0 });
  for (const { resolve, id, bytes } of executor.plain) {
    admission.complete(resolve, id, bytes);
  }
  expect([await first, await second]).toEqual([1, 2]);
  expect(admission.counters()).toMatchObject({ submitted: 2, completed: 2 });
  expect(admission.inFlight).toBe(0);
});

test('their bytes are given back', () => {
  const { admission, executor, submit } = setUp({
    maxQueued: 9,
    maxQueuedBytes: 100,
  });
  for (let i = 0; i < 3; i += 1) {
    submit(60);
    submit(40);
    expect(submit(1)).toBeNull();
    for (const { resolve, bytes } of executor.plain.splice(0)) {
      admission.complete(resolve, undefined, bytes);
    }
  }
});

test('they overtake nobody who waits, though there is room for them', () => {
  const { admission, submit } = setUp({ maxQueued: 9, maxQueuedBytes: 100 });
  submit(60);
  admission.admit(new ListedJob(NO_OPERATION, 90));
  expect(admission.waiting).toBe(1);
  expect(submit(1)).toBeNull();
});

test('none gets in after the stop', () => {
  const { admission, submit } = setUp();
  admission.stop();
  expect(submit()).toBeNull();
});

test('only plain calls to an executor that takes them', () => {
  const { admission, executor } = setUp();
  expect(admission.admitPlain({}, callOf(1, CallKind.Object))).toBeNull();
  executor.takesPlain = false;
  expect(admission.admitPlain({}, callOf())).toBeNull();
  expect(admission.inFlight).toBe(0);
});
