import { createServer } from 'node:http';
import { expectType } from 'tsd';
import { createDashboard, type Dashboard } from '../../types/dashboard.js';
import { Worker, WorkerPool, WorkQueue } from '../../types/index.js';

const pool = WorkerPool.create('numbers');
const queue = WorkQueue.create('jobs');
const worker = await Worker.start('./worker.js');

const dashboard = createDashboard({
  pools: [pool, queue, worker],
  interval: 500,
  path: '/workers',
  title: 'Workers',
});
expectType<Dashboard>(dashboard);
createServer(dashboard);
createServer((req, res) => {
  expectType<boolean>(dashboard(req, res));
});
expectType<void>(dashboard.close());
createDashboard({ pools: pool });
createDashboard({ pools: () => new Set([pool]) });
// @ts-expect-error nothing that has metrics
createDashboard({ pools: {} });
