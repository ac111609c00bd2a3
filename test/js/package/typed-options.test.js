'use strict';
// The options that types allow are those that are read.

const { join } = require('node:path');

const ts = require('@tsd/typescript');

const names = require('../../../lib/options/names.js');
const {
  readProcessorOptions,
} = require('../../../lib/adapters/bullmq/options.js');
const { taskList } = require('../../../lib/adapters/graphile-worker.js');
const { handler } = require('../../../lib/adapters/pg-boss.js');
const { WorkerPool } = require('../../../lib/index.js');

const TYPES = join(__dirname, '../../../types');
const FILES = [
  'job',
  'worker-pool',
  'worker',
  'work-queue',
  'inspector',
  'prewarm',
  'bullmq',
  'graphile-worker',
  'pg-boss',
].map((name) => join(TYPES, `${name}.d.ts`));
const program = ts.createProgram(FILES, {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  skipLibCheck: true,
  types: [],
});
const checker = program.getTypeChecker();

/** @returns {string[]} the properties of a type in `types/<file>.d.ts` */
function typed(file, name) {
  const source = program.getSourceFile(join(TYPES, `${file}.d.ts`));
  const symbol = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .find((each) => each.name === name);
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  return checker
    .getPropertiesOfType(type)
    .map((property) => property.name)
    .toSorted();
}

test.each([
  ['worker-pool', 'WorkerPoolOptions', names.POOL_OPTIONS],
  ['worker', 'WorkerOptions', names.WORKER_OPTIONS],
  ['work-queue', 'WorkQueueOptions', names.QUEUE_OPTIONS],
  ['job', 'JobOptions', names.CALL],
  ['job', 'WorkerCallOptions', names.WORKER_CALL],
  ['worker-pool', 'RunOptions', names.RUN],
  ['worker-pool', 'MapOptions', names.MAP],
  ['worker-pool', 'BroadcastOptions', names.BROADCAST],
  ['job', 'StopOptions', names.STOP],
  ['job', 'CpuProfileOptions', names.PROFILE],
  ['job', 'HeapSnapshotOptions', names.SNAPSHOT],
  ['inspector', 'InspectorOptions', names.INSPECTOR],
])('%s: %s', (file, name, read) => {
  expect(typed(file, name)).toEqual(read.toSorted());
});

test('PrewarmOptions', () => {
  const own = new Set([
    'host',
    'init',
    'runtime',
    ...typed('prewarm', 'PrewarmOptions'),
  ]);
  expect([...own].toSorted()).toEqual(
    [...names.POOL_OPTIONS, 'spares'].toSorted(),
  );
});

describe('adapters', () => {
  const pool = WorkerPool.create('p', { module: __filename });
  afterAll(() => pool.stop());

  const unknown = (call, name) => {
    try {
      call({ [name]: Symbol('any') });
      return undefined;
    } catch ({ message }) {
      return message.includes('has no option') ? message : undefined;
    }
  };

  test.each([
    [
      'bullmq',
      'FileProcessorOptions',
      (bag) => readProcessorOptions(__filename, bag),
    ],
    [
      'bullmq',
      'PoolProcessorOptions',
      (bag) => readProcessorOptions(pool, bag),
    ],
    ['graphile-worker', 'TaskListOptions', (bag) => taskList(pool, [], bag)],
    ['pg-boss', 'HandlerOptions', (bag) => handler(pool, bag)],
  ])('%s: %s', (file, name, call) => {
    const all = typed(file, name);
    expect(all.length).toBeGreaterThan(2);
    expect(all.map((each) => unknown(call, each)).filter(Boolean)).toEqual([]);
    expect(unknown(call, 'colour')).toContain('has no option');
  });
});
