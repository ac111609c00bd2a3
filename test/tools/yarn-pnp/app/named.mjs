// A package by the place where Yarn has put its files: `yarn unplug`.
import { createRequire } from 'node:module';
import { WorkerPool } from 'sloppy-workers';

const { resolve } = createRequire(import.meta.url);
const pool = WorkerPool.create('tables');
const answer = await pool.run(
  ({ input, modules }) => {
    const isNode = typeof process.getActiveResourcesInfo === 'function';
    const table = modules.dsv.csvFormat(input).replace(/\n/g, ' ');
    return `${isNode ? 'node' : 'isolate'}: ${table}`;
  },
  { input: [{ a: 1, b: 2 }], modules: { dsv: resolve('d3-dsv') } },
);
console.log(answer);
await pool.stop();
