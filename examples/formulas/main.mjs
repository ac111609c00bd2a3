// Formulas that tenants have written: each tenant's in a process of its own,
// locked down and without Node, with one function of the owner as the way out.
// Linux; experimental: docs/sandbox.md.
//
//   node examples/formulas/main.mjs

import assert from 'node:assert/strict';
import { WorkerPool } from 'sloppy-workers';

const prices = {
  acme: { tea: 250, milk: 120 },
  initech: { tea: 300 },
};

// The tenant is known here, and not what a formula says it is.
const pools = new Map();

function poolOf(tenant) {
  let pool = pools.get(tenant);
  if (pool === undefined) {
    pool = WorkerPool.create(`formulas of ${tenant}`, {
      sandbox: true,
      runTimeoutMs: 2000,
      memoryLimitMb: 32,
      maxResultBytes: 64 * 1024,
      host: {
        price: (product) =>
          Object.hasOwn(prices[tenant], product)
            ? prices[tenant][product]
            : null,
      },
    });
    pools.set(tenant, pool);
  }
  return pool;
}

const evaluate = async ({ input, host }) => {
  const { formula, row } = input;
  const run = new Function('row', 'price', `return (async () => ${formula})()`);
  return await run(row, host.price);
};

async function calculate(tenant, formula, row) {
  try {
    const input = { formula, row };
    const options = { input, key: tenant };
    return { value: await poolOf(tenant).run(evaluate, options) };
  } catch (error) {
    // The code is ours, the text of the cause the tenant's.
    return { error: error.code };
  }
}

const row = { product: 'tea', count: 3 };

try {
  const total = await calculate(
    'acme',
    '(await price(row.product)) * row.count',
    row,
  );
  assert.deepEqual(total, { value: 750 });

  const other = await calculate('initech', 'price("milk")', row);
  assert.deepEqual(other, { value: null });

  const endless = await calculate('acme', '(() => { for (;;); })()', row);
  assert.deepEqual(endless, { error: 'SLOPPY_E_WORK_JOB_TIMEOUT' });

  const greedy = await calculate(
    'acme',
    '(() => { const all = []; for (;;) all.push(new Array(1e6).fill(0)); })()',
    row,
  );
  assert.deepEqual(greedy, {
    error: 'SLOPPY_E_WORKER_RESOURCE_LIMIT_EXCEEDED',
  });

  const file = await calculate(
    'acme',
    'import("/etc/passwd").then(() => "read")',
    row,
  );
  assert.deepEqual(file, { error: 'SLOPPY_E_WORK_JOB_FAILED' });

  // The next formula has a process of its own again.
  const after = await calculate('acme', 'row.count + 1', row);
  assert.deepEqual(after, { value: 4 });

  const { layers } = await poolOf('acme').sandbox();
  console.log(
    'layers:',
    Object.keys(layers).filter((name) => layers[name]),
  );
} finally {
  await Promise.all([...pools.values()].map((pool) => pool.stop()));
}
console.log('ok');
