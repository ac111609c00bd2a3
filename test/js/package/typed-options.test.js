'use strict';
// The options that types allow are those that are read.

const { join } = require('node:path');

const ts = require('@tsd/typescript');

const { tables } = require('../../../lib/options/options.json');
const sets = require('../../../lib/options/option-sets.js');
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
  ['worker-pool', 'WorkerPoolOptions', sets.POOL],
  ['worker', 'WorkerOptions', sets.WORKER],
  ['work-queue', 'WorkQueueOptions', sets.QUEUE],
  ['job', 'JobOptions', sets.CALL],
  ['job', 'WorkerCallOptions', sets.WORKER_CALL],
  ['worker-pool', 'RunOptions', sets.RUN],
  ['worker-pool', 'MapOptions', sets.MAP],
  ['worker-pool', 'BroadcastOptions', sets.BROADCAST],
  ['job', 'SandboxOptions', sets.SANDBOX],
  ['job', 'StopOptions', sets.STOP],
  ['job', 'CpuProfileOptions', sets.PROFILE],
  ['job', 'HeapSnapshotOptions', sets.SNAPSHOT],
  ['inspector', 'InspectorOptions', sets.INSPECTOR],
])('%s: %s', (file, name, { names }) => {
  expect(typed(file, name)).toEqual(names.toSorted());
});

const MIB = 2 ** 20;

function defaultOf({ default: value, unit }) {
  if (typeof value === 'string' && value !== 'Infinity') return `"${value}"`;
  if (unit === 'bytes') return `${value / MIB} MiB`;
  return typeof value === 'number' && value >= 10_000
    ? `${value}`.replace(/\B(?=(\d{3})+$)/g, ' ')
    : `${value}`;
}

/** @returns {Map<string, string>} the comments of a type's properties */
function commentsOf(file, name) {
  const source = program.getSourceFile(join(TYPES, `${file}.d.ts`));
  const symbol = checker
    .getExportsOfModule(checker.getSymbolAtLocation(source))
    .find((each) => each.name === name);
  const properties = checker.getPropertiesOfType(
    checker.getDeclaredTypeOfSymbol(symbol),
  );
  return new Map(
    properties.map((property) => [
      property.name,
      ts
        .displayPartsToString(property.getDocumentationComment(checker))
        .replace(/\s+/g, ' '),
    ]),
  );
}

const allRows = Object.values(tables).flat();

test.each([
  ['worker-pool', 'WorkerPoolOptions', 'pool', 24],
  ['worker', 'WorkerOptions', 'worker', 12],
  ['work-queue', 'WorkQueueOptions', 'queue', 5],
  ['job', 'SandboxOptions', 'sandbox', 2],
  ['job', 'StopOptions', 'stop', 2],
  ['job', 'CpuProfileOptions', 'cpuProfile', 1],
  ['inspector', 'InspectorOptions', 'inspector', 3],
  ['prewarm', 'PrewarmOptions', 'prewarm', 1],
])('%s: %s has the defaults of the table', (file, name, taker, least) => {
  const comments = commentsOf(file, name);
  const groups = { pool: ['pools', 'all'], worker: ['all'] }[taker] ?? [];
  const told = allRows
    .filter(({ of }) => [taker, ...groups].some((each) => of.includes(each)))
    .filter((row) => row.default !== undefined)
    .map((row) => [row, comments.get(row.name)?.split(/Default:? /)[1]])
    .filter(([, text]) => text !== undefined && !text.startsWith('from'));
  expect(told.length).toBeGreaterThanOrEqual(least);
  const wrong = told.filter(
    ([row, text]) => !text.replaceAll('`', '').startsWith(defaultOf(row)),
  );
  expect(wrong).toEqual([]);
});

test('PrewarmOptions', () => {
  const own = new Set([
    'argv',
    'env',
    'host',
    'init',
    'runtime',
    ...typed('prewarm', 'PrewarmOptions'),
  ]);
  expect([...own].toSorted()).toEqual(
    [...sets.POOL.names, ...sets.PREWARM.names].toSorted(),
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
