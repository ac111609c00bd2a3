'use strict';
// The ranges in the table of options are those of the code.

const { join } = require('node:path');

const {
  openInspector,
  prewarm,
  Worker,
  WorkerPool,
  WorkQueue,
} = require('../../../lib/index.js');
const { tables } = require('../../../lib/options/options.json');
const { folderWith, removeFolders } = require('../modules/support.js');

const MANY = 2 ** 31;
const NUMBERS = ['time', 'whole'];
const isNumber = ({ is }) => NUMBERS.includes(is);

/** The row's range, as numbers. */
const rangeOf = ({ name, of, is, least, most, mostText, endless }) => ({
  name,
  of: of[0],
  isWhole: is === 'whole',
  least: least ?? (is === 'whole' ? 1 : 0),
  // minWorkers: as many as there are workers.
  most: mostText === undefined ? most : 3,
  isEndless: endless === true,
});
const rowsOf = (...names) =>
  names.flatMap((name) => tables[name].filter(isNumber).map(rangeOf));

const create = rowsOf('queue', 'workers', 'limits');
const calls = rowsOf('calls');
const others = rowsOf('others');
const fn = () => 1;
let tasks;
let pool;

beforeAll(() => {
  const folder = folderWith({ 'tasks.mjs': 'export const f = () => 1;' });
  tasks = join(folder, 'tasks.mjs');
  pool = WorkerPool.create('ranges');
});
afterAll(async () => {
  await pool.stop();
  removeFolders();
});

async function createPool(bag) {
  const made = WorkerPool.create('p', { workers: 3, ...bag });
  await made.stop({ timeoutMs: 0 });
}

async function startWorker(bag) {
  const worker = await Worker.start(tasks, bag);
  await worker.stop();
}

const createQueue = async (bag) => {
  WorkQueue.create('q', bag);
};

const openAndClose = async (port) => {
  const endpoint = await openInspector({ port });
  await endpoint.close();
};

async function firstOf(values) {
  for await (const value of values) return value;
  return undefined;
}

/** Whether the value itself is refused; a limit may well be exceeded. */
async function isRefused(call, value) {
  try {
    await call(value);
    return false;
  } catch (error) {
    return (
      error instanceof TypeError ||
      error.name === 'InvalidDeadlineError' ||
      error.message.includes(' must be from ')
    );
  }
}

const refusedOf = ({ isWhole, least, most, isEndless }) => [
  least - 1,
  -Infinity,
  Number.NaN,
  String(least),
  ...(isWhole ? [least + 0.5] : []),
  ...(isEndless ? [] : [Infinity]),
  ...(most === undefined ? [] : [most + 1]),
];
const acceptedOf = ({ isWhole, least, most, isEndless }) => [
  least,
  most ?? MANY,
  ...(isWhole ? [] : [least + 0.5]),
  ...(isEndless ? [Infinity] : []),
];

async function check(row, call, accepted = acceptedOf(row)) {
  const wrong = [];
  for (const value of refusedOf(row)) {
    if (!(await isRefused(call, value))) wrong.push(`${value} is accepted`);
  }
  for (const value of accepted) {
    if (await isRefused(call, value)) wrong.push(`${value} is refused`);
  }
  expect(wrong).toEqual([]);
}

describe.each(create)('$name', (row) => {
  const { name } = row;
  test('WorkerPool.create', () =>
    check(row, (value) => createPool({ [name]: value })));
});

describe.each(calls)('$name', (row) => {
  const { name } = row;
  const bagOf = (value) => ({
    ...(name === 'weight' && { key: 'k' }),
    [name]: value,
  });
  test('WorkerPool.run', () =>
    check(row, (value) => pool.run(fn, bagOf(value))));
  test('WorkerPool.map', () =>
    check(row, (value) => firstOf(pool.map([1], fn, bagOf(value)))));
});

const createSandbox = (sandbox) =>
  createPool({ runTimeoutMs: 1000, workers: 1, sandbox });

const OTHERS = {
  'sandbox spares': (spares) => createSandbox({ spares }),
  'sandbox maxProcesses': (maxProcesses) => createSandbox({ maxProcesses }),
  'worker startTimeoutMs': (startTimeoutMs) => startWorker({ startTimeoutMs }),
  'init timeoutMs': (timeoutMs) =>
    createPool({ init: { module: tasks, timeoutMs } }),
  'map concurrency': (concurrency) =>
    firstOf(pool.map([1], fn, { concurrency })),
  'stop timeoutMs': async (timeoutMs) => {
    await WorkerPool.create('s').stop({ timeoutMs });
    await WorkQueue.create('s').stop({ timeoutMs });
  },
  'cpuProfile durationMs': (durationMs) =>
    pool.cpuProfile({ path: '/nothing/here/x', durationMs }),
  'prewarm spares': (spares) => prewarm({ spares }),
  'inspector port': openAndClose,
};
// The others take long, or many threads, or have to be free.
const SHORT = {
  'cpuProfile durationMs': [0, 0.5],
  'prewarm spares': [0],
  'inspector port': [0],
};

test.each(others)('$of $name', async (row) => {
  const name = `${row.of} ${row.name}`;
  const call =
    row.of === 'queue'
      ? (value) => createQueue({ [row.name]: value })
      : OTHERS[name];
  await check(row, call, SHORT[name]);
});
