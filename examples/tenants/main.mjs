// A server for many tenants, one of which sends more than its share: with a
// key for each tenant the others do not wait behind it, without they do.
//   node examples/tenants/main.mjs

import assert from 'node:assert/strict';
import { load } from './load.mjs';
import { report } from './report.mjs';
import { ORDERS, startServer } from './server.mjs';

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1];
}

/** Waits of the small tenants' and of the large one's jobs, in job lengths. */
function print(title, usage, answers) {
  const length = quantile(
    [...usage.values()].flat().map(({ runMs }) => runMs),
    0.5,
  );
  const waits = (isWanted) => {
    const all = [...usage].filter(([tenant]) => isWanted(tenant));
    const lengths = all.flatMap(([, jobs]) =>
      jobs.map(({ queueMs }) => queueMs / length),
    );
    const [p50, p90] = [0.5, 0.9].map((share) =>
      quantile(lengths, share).toFixed(1),
    );
    return `p50 ${p50}, p90 ${p90}`;
  };
  const refused = answers.filter(({ status }) => status === 429).length;
  console.log(`${title}, waits in lengths of a job (${length.toFixed(1)} ms):`);
  console.log(`  small tenants: ${waits((tenant) => tenant !== 'large')}`);
  console.log(`  large tenant:  ${waits((tenant) => tenant === 'large')}`);
  console.log(`  answered with 429: ${refused} of ${answers.length} requests`);
}

function check(isFair, answers) {
  const expected = new Map();
  for (const { tenant, status, retryAfter, summary } of answers) {
    if (status === 429) {
      // Only its own jobs are in a tenant's way.
      assert.ok(isFair && tenant === 'large');
      assert.equal(retryAfter, '1');
      continue;
    }
    assert.equal(status, 200);
    if (!expected.has(tenant)) {
      expected.set(tenant, report({ input: { tenant, orders: ORDERS } }));
    }
    assert.deepEqual(summary, expected.get(tenant));
  }
  const isRefused = answers.some(({ status }) => status === 429);
  assert.equal(isRefused, isFair);
}

for (const isFair of [false, true]) {
  const { url, usage, close } = await startServer(isFair);
  const answers = await load(url);
  await close();
  print(isFair ? 'A key for each tenant' : 'Without keys', usage, answers);
  check(isFair, answers);
}
console.log('ok');
