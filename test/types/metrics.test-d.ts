import { expectAssignable, expectType } from 'tsd';
import {
  type HistogramSnapshot,
  type Measured,
  type PoolMetrics,
  type QueueMetrics,
  Worker,
  WorkerPool,
  WorkQueue,
} from '../../types/index.js';

const pool = WorkerPool.create('numbers', { metrics: true });
const queue = WorkQueue.create('jobs', { metrics: true });
const worker = await Worker.start('./worker.js', { metrics: true });

expectType<PoolMetrics>(pool.metrics());
expectType<PoolMetrics>(worker.metrics());
expectType<QueueMetrics>(queue.metrics());
expectAssignable<Measured[]>([pool, queue, worker]);

const { counters, gauges, histograms, kind, since } = pool.metrics();
expectType<'pool' | 'worker' | 'queue'>(kind);
expectType<number>(since);
expectType<number>(counters.workersStarted);
expectType<number | undefined>(counters.byCode.SLOPPY_E_WORK_JOB_TIMEOUT);
expectType<number>(gauges.busy);
expectType<HistogramSnapshot>(histograms.cpuMs);
expectType<number>(histograms.totalMs.p99);
expectType<number | undefined>(pool.metrics().keys?.active);
expectType<number | undefined>(pool.metrics().keys?.held);
expectType<number | undefined>(pool.metrics().shared?.bytes);
