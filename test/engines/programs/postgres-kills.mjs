// kill -9 of worker processes of an engine on PostgreSQL: nothing is lost, and
// no more runs twice than was in flight.
// node postgres-kills.mjs pg-boss|graphile-worker <port> <kills>

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  folder,
  killed,
  pause,
  program,
  readLedger,
  until,
} from '../lib/harness.mjs';

const [, , engine, port, kills] = process.argv;
const KILLS = Number(kills);
const JOBS = KILLS * 10;
const CONCURRENCY = 2;
const PROCESSES = 2;
/** A lost job of pg-boss comes back after this time. */
const EXPIRE_SECONDS = 5;

const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
const schema = `kills${process.pid}`;
const ledger = join(folder, 'ledger');
const data = (value) => ({ ms: 40, value });

async function openBoss() {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    connectionString,
    schema,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
  });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('spin', {
    retryLimit: 50,
    expireInSeconds: EXPIRE_SECONDS,
  });
  const ids = [];
  for (let value = 0; value < JOBS; value++) {
    ids.push(await boss.send('spin', data(value)));
  }
  const jobOf = async (id) => (await boss.findJobs('spin', { id }))[0];
  return {
    async left() {
      const jobs = await Promise.all(ids.map(jobOf));
      const failed = jobs.filter(({ state }) => state === 'failed');
      assert.deepEqual(failed, [], 'no job has failed for good');
      return jobs.filter(({ state }) => state !== 'completed').length;
    },
    lost: () => {},
    close: () => boss.stop({ graceful: false }),
  };
}

async function openGraphile() {
  const { Logger, makeWorkerUtils } = await import('graphile-worker');
  const logger = new Logger(() => () => {});
  const utils = await makeWorkerUtils({ connectionString, schema, logger });
  await utils.migrate();
  for (let value = 0; value < JOBS; value++) {
    await utils.addJob('spin', data(value), { maxAttempts: 50 });
  }
  return {
    async left() {
      const { rows } = await utils.withPgClient((client) =>
        client.query(`select count(*) from ${schema}._private_jobs`),
      );
      return Number(rows[0].count);
    },
    // Jobs would stay locked for four hours without it.
    lost: (workerIds) => utils.forceUnlockWorkers(workerIds),
    close: () => utils.release(),
  };
}

const queue = await (engine === 'pg-boss' ? openBoss() : openGraphile());

function start() {
  const options = { engine, connectionString, schema, ledger };
  const child = fork(program('postgres-worker.mjs'), [
    JSON.stringify({ ...options, concurrency: CONCURRENCY }),
  ]);
  child.workerIds = [];
  child.up = once(child, 'message').then(([{ up }]) => {
    child.workerIds = up;
  });
  return child;
}

const workers = Array.from({ length: PROCESSES }, start);
for (let kill = 0; kill < KILLS; kill++) {
  const at = kill % PROCESSES;
  const victim = workers[at];
  // A worker has no first job when none is left.
  await Promise.race([victim.up, pause(5000)]);
  await pause(50 + Math.random() * 100);
  await killed(victim);
  await queue.lost(victim.workerIds);
  workers[at] = start();
}
await until(async () => (await queue.left()) === 0, `${JOBS} jobs`);
for (const worker of workers) await killed(worker);
await queue.close();

const lines = readLedger(ledger);
const starts = lines.filter((line) => line.startsWith('s'));
const ends = lines.filter((line) => line.startsWith('e'));
assert.equal(new Set(ends).size, JOBS, 'every job has had its effect');
assert.ok(
  starts.length <= JOBS + KILLS * CONCURRENCY,
  `${starts.length - JOBS} of ${JOBS} began again after ${KILLS} kills`,
);
console.log(
  `began again ${starts.length - JOBS}, effects twice ${ends.length - JOBS}`,
);
console.log('pass');
process.exit();
