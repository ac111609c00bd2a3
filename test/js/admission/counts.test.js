'use strict';
// An admission's figures: places, bytes, counters, and whether there
// is room.

const { Admission } = require('../../../lib/admission/admission.js');
const { admissionOf } = require('./small-admission.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { Homes, MAX_KEYS } = require('../../../lib/admission/homes.js');
const { Job } = require('../../../lib/admission/job.js');
const { NO_OPERATION } = require('../../../lib/admission/operation.js');
const { Outcome } = require('../../../lib/errors/outcome.js');
const { Places } = require('../../../lib/admission/places.js');
const { PullingExecutor } = require('./pulling-executor.js');
const { workerError } = require('../../../lib/protocol/sloppy-worker-error.js');

class ListedJob extends Job {
  prev = null;
  next = null;
}

function setUp(options) {
  const executor = new PullingExecutor();
  const admission = admissionOf(executor, options);
  const submit = (bytes = 8) => {
    const job = new ListedJob(NO_OPERATION, bytes);
    admission.admit(job).catch(() => {});
    return job;
  };
  return { admission, executor, submit };
}

describe('places', () => {
  const placesOf = (options) =>
    new Places({ concurrency: 2, maxQueued: 3, ...options });

  test('as many as run and are queued, and no more', () => {
    const places = placesOf();
    for (let taken = 1; taken <= 5; taken += 1) {
      expect(places.hasRoomFor(1)).toBe(true);
      expect(places.take(1)).toBe(true);
      expect(places.active).toBe(Math.min(taken, 2));
      expect(places.queued).toBe(Math.max(taken - 2, 0));
    }
    expect(places.hasRoomFor(1)).toBe(false);
    expect(places.take(1)).toBe(false);
    expect(places.taken).toBe(5);
    places.give(1);
    expect(places.take(1)).toBe(true);
  });

  test('bytes may fill the bound, and what was refused took none', () => {
    const places = placesOf({ maxQueuedBytes: 100 });
    places.take(30);
    places.take(30);
    for (let i = 0; i < 3; i += 1) {
      expect(places.hasRoomFor(41)).toBe(false);
      expect(places.take(41)).toBe(false);
    }
    expect(places.hasRoomFor(40)).toBe(true);
    expect(places.take(40)).toBe(true);
    expect(places.hasRoomFor(0)).toBe(true);
    expect(places.hasRoomFor(1)).toBe(false);
    places.started(30);
    expect(places.take(30)).toBe(true);
  });

  test('bytes of a job that runs at once do not matter', () => {
    const places = placesOf({ maxQueuedBytes: 100 });
    expect(places.hasRoomFor(1000)).toBe(true);
    expect(places.take(1000)).toBe(true);
    expect(places.take(1000)).toBe(true);
    expect(places.take(0)).toBe(false);
  });

  test('a place that is forced counts with its bytes', () => {
    const places = placesOf({ maxQueuedBytes: 100 });
    places.force(60);
    places.force(40);
    expect(places.taken).toBe(2);
    expect(places.hasRoomFor(1)).toBe(false);
    places.give(60);
    places.give(40);
    expect(places.taken).toBe(0);
  });

  test('a job that waits for its key is queued and does not run', () => {
    const places = placesOf();
    places.take(1);
    places.take(1);
    places.heldBack = 1;
    expect(places.active).toBe(1);
    expect(places.queued).toBe(1);
  });
});

test('queued are also those that wait for a place', () => {
  const { admission, submit } = setUp({ maxQueued: 0 });
  expect(admission.hasQueued).toBe(false);
  submit();
  expect(admission.hasQueued).toBe(false);
  expect(admission.waiting).toBe(0);
  submit();
  expect(admission.hasQueued).toBe(true);
  expect(admission.waiting).toBe(1);
  expect(admission.inFlight).toBe(1);
  const queued = setUp();
  queued.submit();
  queued.submit();
  expect(queued.admission.hasQueued).toBe(true);
});

test('there is no room while somebody waits, however small a job is', () => {
  const { admission, submit } = setUp({ maxQueued: 9, maxQueuedBytes: 100 });
  submit(50);
  expect(admission.needsDrain).toBe(false);
  submit(51);
  expect(admission.waiting).toBe(1);
  expect(admission.needsDrain).toBe(true);
});

test('submitted are those that ended, run, or wait for a place', async () => {
  const { admission, submit } = setUp({ maxBackpressureWaiters: 1 });
  const [first] = [submit(), submit(), submit()];
  expect(() => submit()).toThrow('backpressure waiters are full');
  expect(admission.counters()).toMatchObject({ submitted: 3, refused: 0 });
  expect(admission.snapshot().stats).toMatchObject({
    enqueued: 2,
    overflow: 2,
  });
  admission.finish(first, Outcome.Completed);
  expect(admission.counters()).toMatchObject({ submitted: 3, completed: 1 });
  admission.startCounting();
  expect(admission.counters()).toMatchObject({ submitted: 0, completed: 0 });
});

test('failures and refusals have their codes, whatever was thrown', () => {
  const { admission, submit } = setUp();
  admission.finish(submit(), Outcome.Failed, workerError(Code.JobFailed));
  admission.finish(submit(), Outcome.Failed, workerError(Code.JobFailed));
  const foreign = new Proxy(
    {},
    {
      getPrototypeOf() {
        throw new Error('unreadable');
      },
    },
  );
  const codes = [
    workerError(Code.QueueFull),
    new TypeError('wrong'),
    new RangeError('far'),
    'a text',
    foreign,
  ].map((error) => admission.refused(error));
  expect(codes).toEqual([
    Code.QueueFull,
    'TypeError',
    'Error',
    'Error',
    'Error',
  ]);
  const counters = admission.counters();
  expect(counters.refused).toBe(5);
  expect(counters.byCode).toEqual({
    [Code.JobFailed]: 2,
    [Code.QueueFull]: 1,
    TypeError: 1,
    Error: 3,
  });
  expect(Object.isFrozen(counters) && Object.isFrozen(counters.byCode)).toBe(
    true,
  );
});

test('the admission of a worker takes one job at a time, and one more', () => {
  const executor = new PullingExecutor();
  executor.attach = (admission) => {
    executor.known = admission;
  };
  const admission = Admission.forOne('worker:w', executor);
  expect(executor.known).toBe(admission);
  const submit = () => admission.admit(new ListedJob(NO_OPERATION, 8));
  submit();
  submit();
  expect(submit).toThrow(Code.QueueFull);
  expect(admission.snapshot()).toMatchObject({
    name: 'worker:w',
    active: 1,
    queued: 1,
    maxQueued: 1,
    concurrency: 1,
    overflow: 'reject',
    stopped: false,
  });
});

describe('numbers of keys', () => {
  test('each key has one, from 1, which stays', () => {
    const homes = new Homes();
    expect(['a', 'b', 'a', 'c', 'b'].map((key) => homes.of(key))).toEqual([
      1, 2, 1, 3, 2,
    ]);
  });

  test('the key that was not used for longest gives its number away', () => {
    const homes = new Homes();
    for (let i = 1; i <= MAX_KEYS; i += 1) expect(homes.of(`k${i}`)).toBe(i);
    expect(homes.of('k1')).toBe(1);
    expect(homes.of('new')).toBe(2);
    expect(homes.of('newer')).toBe(3);
    // A new one as well, which was forgotten.
    expect(homes.of('k2')).toBe(4);
    expect(homes.of('k1')).toBe(1);
    expect(homes.of('new')).toBe(2);
  });
});
