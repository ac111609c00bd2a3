// A table of prices that every worker looks things up in: encoded once for all
// of them, replaced while jobs run, and given back at the end:
// node examples/lookup-table/main.mjs

import assert from 'node:assert';
import { WorkerPool } from 'sloppy-workers';

const ITEMS = 50_000;

/** Stands for a query: the prices of `day`, and a picture of each item. */
function loadCatalogue(day) {
  const prices = {};
  for (let i = 0; i < ITEMS; i++) prices[`item-${i}`] = i * 10 + day;
  return { day, prices, pictures: new Uint8Array(8 << 20).fill(day) };
}

/** Runs in a worker, which has decoded the catalogue or does it now. */
function total({ input, shared }) {
  const { day, prices, pictures } = shared.catalogue;
  let sum = 0;
  for (const item of input) sum += prices[item];
  return { day, sum, picture: pictures[0] };
}

const pool = WorkerPool.create('shop', { workers: 4, maxQueued: 1000 });
const catalogue = pool.share('catalogue', loadCatalogue(1));
const order = ['item-1', 'item-2', `item-${ITEMS - 1}`];
const orders = () =>
  Array.from({ length: 200 }, () => pool.run(total, { input: order }));

const first = orders();
// Orders that were placed before this see the prices of the first day.
catalogue.update(loadCatalogue(2));
const second = orders();

const sums = await Promise.all([...first, ...second]);
assert.deepStrictEqual(sums[0], { day: 1, sum: 500_023, picture: 1 });
assert.deepStrictEqual(sums[199], sums[0]);
assert.deepStrictEqual(sums[200], { day: 2, sum: 500_026, picture: 2 });
assert.deepStrictEqual(sums[399], sums[200]);

const { encodes, decodes, bytes } = pool.metrics().shared;
assert.strictEqual(encodes, 2);
assert.ok(decodes <= 2 * 4);
console.log(
  `${sums.length} orders, ${(bytes / 2 ** 20).toFixed(1)} MB of catalogue: ` +
    `encoded ${encodes} times, decoded ${decodes} times`,
);

catalogue.release();
assert.strictEqual(await pool.run(({ shared }) => shared.catalogue), undefined);
await pool.stop();
console.log('ok');
