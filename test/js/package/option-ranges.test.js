'use strict';
// The ranges in docs/options.md are those of the code.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const {
  prewarm,
  Worker,
  WorkerPool,
  WorkQueue,
} = require('../../../lib/index.js');
const { folderWith, removeFolders } = require('../modules/support.js');

const page = readFileSync(join(__dirname, '../../../docs/options.md'), 'utf8');
const RANGE =
  /^(whole)? ?(?:ms|bytes|MiB)?, from (\d+)(?: to (\S+?(?: GiB)?))?(, or `Infinity`)?$/;
const MANY = 2 ** 31;

/** @returns {object[]} `{ name, isWhole, least, most, isEndless }` of each row */
function rowsOf(text) {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split(' | '))
    .map(([first, ...cells]) => {
      const range = cells.find((cell) => RANGE.test(cell));
      if (range === undefined) return undefined;
      const name = first.slice(2).replaceAll('`', '').replace(/ W$/, '');
      const [, whole, least, most, endless] = RANGE.exec(range);
      return {
        name,
        isWhole: whole !== undefined,
        least: Number(least),
        most: mostOf(most),
        isEndless: endless !== undefined,
      };
    })
    .filter((row) => row !== undefined);
}

function mostOf(text) {
  if (text === undefined) return undefined;
  if (text === '`workers`') return 3;
  return text.endsWith(' GiB') ? parseInt(text, 10) * 2 ** 30 : Number(text);
}

const [create, calls, others] = page.split(/^## .*calls?$/m).map(rowsOf);
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

test('all numbers have a range', () => {
  expect(create).toHaveLength(20);
  expect(calls).toHaveLength(5);
  expect(others).toHaveLength(13);
});

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

const OTHERS = {
  'Worker.start startTimeoutMs': (startTimeoutMs) =>
    startWorker({ startTimeoutMs }),
  'init timeoutMs': (timeoutMs) =>
    createPool({ init: { module: tasks, timeoutMs } }),
  'pool.map concurrency': (concurrency) =>
    firstOf(pool.map([1], fn, { concurrency })),
  'stop timeoutMs': async (timeoutMs) => {
    await WorkerPool.create('s').stop({ timeoutMs });
    await WorkQueue.create('s').stop({ timeoutMs });
  },
  'cpuProfile durationMs': (durationMs) =>
    pool.cpuProfile({ path: '/nothing/here/x', durationMs }),
  'prewarm spares': (spares) => prewarm({ spares }),
};
// The others take long, or many threads.
const SHORT = { 'cpuProfile durationMs': [0, 0.5], 'prewarm spares': [0] };

test.each(others)('$name', async (row) => {
  const { name } = row;
  const [taker, option] = name.split(' ');
  const call =
    taker === 'WorkQueue.create'
      ? (value) => createQueue({ [option]: value })
      : OTHERS[name];
  await check(row, call, SHORT[name]);
});
