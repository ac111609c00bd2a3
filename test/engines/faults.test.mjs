// Servers that are killed, networks that are cut, and SIGTERM.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  engine,
  exitOf,
  folder,
  killed,
  pause,
  places,
  queueName,
  readLedger,
  startWorker,
  until,
} from './lib/harness.mjs';
import {
  startPostgres,
  startRedis,
  startValkey,
  swallowingProxy,
} from './lib/servers.mjs';

for (const [name, where] of places()) {
  test(`${name}: SIGTERM with a loop and a short job`, async () => {
    const queue = engine(name, where).Queue(queueName('term'));
    queue.on('error', () => {});
    const loop = await queue.add('job', { kind: 'loop' });
    const child = startWorker({
      ...{ engine: name, where, name: queue.name, concurrency: 2 },
      ...{ lockDuration: 30_000, graceMs: 1000 },
    });
    await child.up;
    const short = await queue.add('job', { kind: 'spin', ms: 300 });
    await until(
      async () => (await short.getState()) === 'active',
      'the short job',
    );
    child.kill('SIGTERM');
    assert.equal(await exitOf(child), 0);
    assert.equal(await short.getState(), 'completed');
    assert.equal(await loop.getState(), 'waiting');
    assert.equal((await queue.getJob(loop.id)).attemptsMade, 0);
    await queue.obliterate({ force: true });
    await queue.close();
  });
}

const servers = [
  ['redis', startRedis, process.env.ENGINES_REDIS, 'SIGKILL'],
  ['valkey', startValkey, process.env.ENGINES_VALKEY, 'SIGKILL'],
  // Its children have to end too, as by `pg_ctl stop -m immediate`.
  ['postgres', startPostgres, process.env.ENGINES_POSTGRES, 'SIGQUIT'],
];

for (const [name, startServer, isThere, crash] of servers) {
  if (!isThere) continue;
  test(`${name}: the server is killed and comes back`, async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    const queue = engine(name, server.port).Queue(queueName('restart'));
    queue.on('error', () => {});
    const jobs = 40;
    await queue.addBulk(
      Array.from({ length: jobs }, () => ({
        name: 'job',
        data: { kind: 'spin', ms: 60 },
      })),
    );
    const ledger = join(folder, `${queue.name}.ledger`);
    const child = startWorker({
      ...{ engine: name, where: server.port, name: queue.name, ledger },
      ...{ concurrency: 2, lockDuration: 1500 },
    });
    await child.up;
    await pause(300);
    await server.kill(crash);
    await pause(400);
    await server.start();
    const counts = () =>
      queue.getJobCounts('completed', 'failed').catch(() => ({ completed: 0 }));
    await until(async () => (await counts()).completed >= jobs, 'all jobs');
    assert.equal((await counts()).failed, 0);
    const starts = readLedger(ledger).filter((line) => line.startsWith('s'));
    assert.ok(starts.length <= jobs + 2 * 2, `${starts.length} starts`);
    await killed(child);
    await queue.close();
  });
}

if (process.env.ENGINES_REDIS) {
  test('redis: a cut network, and no moment of two runs', async (t) => {
    const port = Number(process.env.ENGINES_REDIS);
    const queue = engine('redis', port).Queue(queueName('cut'));
    const proxy = await swallowingProxy(port);
    const ledger = join(folder, `${queue.name}.looks`);
    const options = {
      ...{ engine: 'redis', name: queue.name, runtime: 'thread' },
      ...{ concurrency: 1, lockDuration: 1500, stalledInterval: 300 },
    };
    const cutOff = startWorker({ ...options, where: proxy.port });
    await cutOff.ready;
    await queue.add('job', { kind: 'spin', ms: 5000, ledger });
    await cutOff.up;
    await until(() => readLedger(ledger).length > 20, 'the first run');
    proxy.cut();
    const other = startWorker({ ...options, where: port });
    const looks = () =>
      readLedger(ledger).map((line) => {
        const [run, time] = line.split(' ');
        return { run, time: Number(time) };
      });
    await until(
      () => new Set(looks().map(({ run }) => run)).size === 2,
      'the second run',
    );
    await pause(500);
    const all = looks();
    const first = all.filter(({ run }) => run === all[0].run);
    const second = all.filter(({ run }) => run !== all[0].run);
    const gap = second[0].time - first.at(-1).time;
    t.diagnostic(`the second run began ${gap} ms after the first ended`);
    assert.ok(gap >= 0, `both computed for ${-gap} ms`);
    await Promise.all([cutOff, other].map(killed));
    proxy.close();
    await queue.obliterate({ force: true });
    await queue.close();
  });
}
