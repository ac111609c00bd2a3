'use strict';
// Every option that the library takes stands in its page.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

jest.mock('../../../lib/options/mistaken-options.js', () => ({
  ...jest.requireActual('../../../lib/options/mistaken-options.js'),
  refuseMistaken: jest.fn(),
}));

const { refuseMistaken } = require('../../../lib/options/mistaken-options.js');
const {
  openInspector,
  Worker,
  WorkerPool,
  WorkQueue,
} = require('../../../lib/index.js');

const root = join(__dirname, '../../..');
const read = (page) => readFileSync(join(root, 'docs', page), 'utf8');

/** @returns {Promise<string[]>} the options that a call compares names with */
async function optionsOf(operation, call) {
  refuseMistaken.mockImplementation((given) => {
    if (given === operation) throw new Error('known by now');
  });
  await expect((async () => call())()).rejects.toThrow('known by now');
  return refuseMistaken.mock.calls.findLast(([name]) => name === operation)[2];
}

test.each([
  ['WorkerPool.create', () => WorkerPool.create('p'), ['options.md']],
  [
    'WorkerPool.broadcast',
    () => WorkerPool.create('p').broadcast(() => 1),
    ['api-worker-pool.md'],
  ],
  [
    'Worker.start',
    () => Worker.start('./any.mjs'),
    ['options.md', 'api-worker.md'],
  ],
  ['WorkQueue.create', () => WorkQueue.create('q'), ['api-work-queue.md']],
  ['openInspector', () => openInspector(), ['debugging.md']],
])('the page of %s has all of its options', async (operation, call, pages) => {
  const names = await optionsOf(operation, call);
  const text = pages.map(read).join('\n');
  expect(names.length).toBeGreaterThan(2);
  // `name`, `name: …` or `parent.name`.
  const missing = names.filter(
    (name) => !new RegExp(`[\`.]${name}[\`:]`).test(text),
  );
  expect(missing).toEqual([]);
});
