import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('inline', { workers: 1 });
const answer = pool.run(
  ({ input }) => {
    const isNode = typeof process.getActiveResourcesInfo === 'function';
    return `${isNode ? 'node' : 'isolate'}: ${input * 2}`;
  },
  { input: 21 },
);
answer.then(console.log).then(() => pool.stop());
