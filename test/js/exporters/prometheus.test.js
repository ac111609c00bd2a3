'use strict';

const { Registry, register: defaultRegistry } = require('prom-client');

const { WorkQueue } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { register } = require('../../../lib/exporters/prometheus.js');
const { createPool, rejection, stopAll } = require('../conformance/support.js');

afterEach(stopAll);

/** The lines of the text form, without comments, as { series: value }. */
async function scrape(registry) {
  const text = await registry.metrics();
  const lines = text.split('\n').filter((line) => line && line[0] !== '#');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

const OF_POOL = 'kind="pool",pool="shop"';

test('counters, gauges and histograms of a pool', async () => {
  const pool = createPool({ workers: 2 }, 'shop');
  const registry = new Registry();
  register(pool, { registry });
  await pool.run(({ input }) => input, { input: 'x'.repeat(100) });
  await rejection(
    pool.run(() => {
      throw new Error('hunter2');
    }),
  );
  await rejection(pool.run(null));
  const seen = await scrape(registry);
  expect(seen).toMatchObject({
    [`sloppy_workers_jobs_submitted_total{${OF_POOL}}`]: 2,
    [`sloppy_workers_jobs_settled_total{${OF_POOL},outcome="completed"}`]: 1,
    [`sloppy_workers_jobs_settled_total{${OF_POOL},outcome="failed"}`]: 1,
    [`sloppy_workers_jobs_refused_total{${OF_POOL}}`]: 1,
    [`sloppy_workers_errors_total{${OF_POOL},code="${Code.JobFailed}"}`]: 1,
    [`sloppy_workers_jobs{${OF_POOL},state="queued"}`]: 0,
    [`sloppy_workers_threads{${OF_POOL},state="busy"}`]: 0,
    [`sloppy_workers_job_run_seconds_count{${OF_POOL}}`]: 2,
    [`sloppy_workers_job_payload_bytes_bucket{${OF_POOL},le="64"}`]: 1,
    [`sloppy_workers_job_payload_bytes_bucket{${OF_POOL},le="1024"}`]: 2,
    [`sloppy_workers_job_payload_bytes_bucket{${OF_POOL},le="+Inf"}`]: 2,
  });
  const sum = seen[`sloppy_workers_job_run_seconds_sum{${OF_POOL}}`];
  expect(sum).toBeCloseTo(pool.metrics().histograms.runMs.sum / 1000, 6);
});

test('keys and shared values, of a pool that has some, and no key', async () => {
  const pool = createPool({}, 'shop');
  const registry = new Registry();
  register([pool, WorkQueue.create('mails')], { registry });
  await pool.run(() => 1);
  const before = Object.keys(await scrape(registry));
  expect(before.filter((series) => /keys|held|shared/.test(series))).toEqual(
    [],
  );
  const table = pool.share('table', { rows: [1, 2, 3] });
  table.update({ rows: [1, 2] });
  const jobs = [1, 2, 3].map(() =>
    pool.run(({ shared }) => shared.table.rows.length, { key: 'hunter2' }),
  );
  const { bytes } = pool.metrics().shared;
  const during = await scrape(registry);
  expect(during).toMatchObject({
    [`sloppy_workers_keys{${OF_POOL}}`]: 1,
    [`sloppy_workers_jobs_held{${OF_POOL}}`]: 2,
    [`sloppy_workers_shared_values{${OF_POOL}}`]: 1,
    [`sloppy_workers_shared_bytes{${OF_POOL}}`]: bytes,
    [`sloppy_workers_shared_encodes_total{${OF_POOL}}`]: 2,
  });
  expect(bytes).toBeGreaterThan(0);
  expect(await Promise.all(jobs)).toEqual([2, 2, 2]);
  await pool.drain();
  const text = await registry.metrics();
  expect(text).toContain(`sloppy_workers_shared_decodes_total{${OF_POOL}} 1`);
  expect(text).toContain(`sloppy_workers_keys{${OF_POOL}} 0`);
  expect(text).not.toContain('hunter2');
});

test('the text is what Prometheus reads: each type told, buckets rising', async () => {
  const pool = createPool({}, 'shop');
  const registry = new Registry();
  register(pool, { registry });
  await Promise.all([1, 2, 3].map(() => pool.run(() => 1)));
  const text = await registry.metrics();
  expect(text).toContain('# TYPE sloppy_workers_jobs_submitted_total counter');
  expect(text).toContain('# TYPE sloppy_workers_job_run_seconds histogram');
  const seen = await scrape(registry);
  const buckets = Object.entries(seen)
    .filter(([series]) => series.startsWith('sloppy_workers_job_run_seconds_b'))
    .map(([, value]) => value);
  expect(buckets).toHaveLength(13);
  expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  expect(buckets.at(-1)).toBe(3);
});

test('OpenMetrics has its suffix once', async () => {
  const registry = new Registry(Registry.OPENMETRICS_CONTENT_TYPE);
  register(createPool({}, 'shop'), { registry });
  const text = await registry.metrics();
  expect(text).toContain(`sloppy_workers_jobs_submitted_total{${OF_POOL}} 0`);
  expect(text).not.toContain('_total_total');
});

test('queues, pools of one name, a function, a prefix', async () => {
  const queue = WorkQueue.create('mails');
  queue.process(() => 1);
  const pools = [queue, createPool({}, 'shop')];
  const registry = new Registry();
  register(() => pools, { registry, prefix: 'my_' });
  pools.push(createPool({}, 'shop'));
  await Promise.all([
    queue.enqueue(1),
    pools[1].run(() => 1),
    pools[2].run(() => 1),
  ]);
  const seen = await scrape(registry);
  expect(seen).toMatchObject({
    'my_jobs_submitted_total{kind="queue",pool="mails"}': 1,
    [`my_jobs_submitted_total{${OF_POOL}}`]: 2,
  });
  expect(Object.keys(seen).some((key) => /threads.*mails/.test(key))).toBe(
    false,
  );
});

test('the default registry, with its default labels, and out again', async () => {
  defaultRegistry.setDefaultLabels({ app: 'a' });
  const { unregister } = register(createPool({}, 'shop'));
  const before = await defaultRegistry.metrics();
  expect(before).toContain(
    `sloppy_workers_jobs_submitted_total{${OF_POOL},app="a"} 0`,
  );
  expect(() => register(createPool())).toThrow(/already been registered/);
  unregister();
  expect(await defaultRegistry.metrics()).not.toContain('sloppy_workers');
});

test.each([
  [[{}], undefined],
  [null, undefined],
  [[], { prefix: '1x' }],
  [[], { prefix: 'a b' }],
  [[], { registry: {} }],
  [[], 1],
])('bad arguments %#', (pools, options) => {
  expect(() => register(pools, options)).toThrow(TypeError);
});

test('pools that cannot be read cost nobody else the scrape', async () => {
  const pool = createPool({}, 'sound');
  let isBroken = false;
  const odd = () => {
    if (isBroken) throw new Error('hunter2');
    return [pool];
  };
  const registry = new Registry();
  register(odd, { registry });
  register([pool, { metrics: () => (isBroken ? null : pool.metrics()) }], {
    registry,
    prefix: 'second_',
  });
  const emitted = jest.spyOn(process, 'emitWarning').mockReturnValue();
  isBroken = true;
  const broken = await scrape(registry);
  await scrape(registry);
  const codes = emitted.mock.calls.map(([, { code }]) => code);
  emitted.mockRestore();
  expect(codes).toEqual(Array(2).fill('SLOPPY_W_POOLS_UNREADABLE'));
  const series = 'jobs{kind="pool",pool="sound",state="queued"}';
  expect(broken).not.toHaveProperty([`sloppy_workers_${series}`]);
  expect(broken).toHaveProperty([`second_${series}`], 0);
  isBroken = false;
  expect(await scrape(registry)).toHaveProperty([`sloppy_workers_${series}`]);
});

test('a name that is taken leaves nothing behind', async () => {
  const registry = new Registry();
  const taken = { name: 'sloppy_workers_job_run_seconds', type: 'gauge' };
  registry.registerMetric({ ...taken, get: async () => ({ values: [] }) });
  const pool = createPool();
  expect(() => register(pool, { registry })).toThrow();
  expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual([
    taken.name,
  ]);
});

test('unregister leaves alone what others have put in its place', () => {
  const registry = new Registry();
  const { unregister } = register(createPool(), { registry });
  unregister();
  const again = register(createPool(), { registry });
  const count = registry.getMetricsAsArray().length;
  unregister();
  expect(registry.getMetricsAsArray()).toHaveLength(count);
  again.unregister();
  expect(registry.getMetricsAsArray()).toHaveLength(0);
});

test('each scrape reads anew, though a test has faked the microtasks', async () => {
  jest.useFakeTimers();
  try {
    const pool = createPool({ workers: 1 }, 'shop');
    const registry = new Registry();
    register(pool, { registry });
    const submitted = `sloppy_workers_jobs_submitted_total{${OF_POOL}}`;
    expect((await scrape(registry))[submitted]).toBe(0);
    await pool.run(() => 1);
    expect((await scrape(registry))[submitted]).toBe(1);
  } finally {
    jest.useRealTimers();
  }
});
