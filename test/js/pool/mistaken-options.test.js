'use strict';
// An option that was meant to be another one is refused.

const {
  WorkQueue,
  Worker,
  WorkerPool,
  prewarm,
} = require('../../../lib/index.js');

test.each([
  ['maxThreads', 'workers'],
  ['minThreads', 'minWorkers'],
  ['maxQueue', 'maxQueued'],
  ['memoryLimitMB', 'memoryLimitMb'],
  ['filename', 'module'],
  ['idleTimeout', 'idleTimeoutMs'],
  ['wokers', 'workers'],
  ['isolaton', 'isolation'],
])('WorkerPool.create: %s was meant to be %s', (name, meant) => {
  const create = () => WorkerPool.create('p', { [name]: 4 });
  expect(create).toThrow(TypeError);
  expect(create).toThrow(
    `WorkerPool.create has no option "${name}"; did you mean "${meant}"?`,
  );
});

test('resourceLimits of isolates names what they have', () => {
  const create = () => WorkerPool.create('p', { resourceLimits: {} });
  expect(create).toThrow(TypeError);
  expect(create).toThrow('did you mean "memoryLimitMb"?');
});

test('one that resembles none is ignored, as the specification says', async () => {
  const pool = WorkerPool.create('p', {
    colour: 'blue',
    [`x${'y'.repeat(99)}`]: 1,
  });
  expect(await pool.run(() => 1)).toBe(1);
  await pool.stop();
});

test('workers, queues and spares refuse as pools do', async () => {
  await expect(Worker.start(__filename, { startTimeout: 5 })).rejects.toThrow(
    'has no option "startTimeout"; did you mean "startTimeoutMs"?',
  );
  expect(() => WorkQueue.create('q', { maxQueueSize: 1 })).toThrow(
    'WorkQueue.create has no option "maxQueueSize"; did you mean "maxQueued"?',
  );
  await expect(prewarm({ maxThreads: 1 })).rejects.toThrow(
    'did you mean "workers"',
  );
});
