'use strict';

const { Sloppy, WorkQueue, WorkerPool } = require('../../../lib/index.js');
const { runCli } = require('../support/cli.js');

const SECRETS = ['hunter2hunter2', 'eyJhbGciOiJI.abc.def', 'pa55-for-db'];
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

const plan = {
  requiredFeatures: ['stdlib.time', 'stdlib.workers'],
  workers: {
    static: false,
    policy: {
      boundedByDefault: true,
      noRawNativeHandles: true,
      ownerThreadSettlement: false,
    },
    resources: [
      {
        kind: 'backgroundService',
        name: 'mailer',
        start: 'app',
        shutdown: 'cancel-and-drain',
      },
      {
        kind: 'workQueue',
        name: 'emails',
        maxQueued: 64,
        concurrency: 2,
        overflow: 'backpressure',
        payload: { text: SECRETS[0] },
        reason: SECRETS[1],
      },
      { kind: 'workerPool', name: 'images', workers: 4 },
      { kind: 'workers.pool', name: 'images', workers: 4, maxQueued: 1e9 },
      { kind: 'jsWorker', path: '/srv/app/index.mjs', memoryLimitMb: 8 },
      { kind: 'workQueue', name: SECRETS[0], maxQueued: SECRETS[0] },
      { kind: SECRETS[0] },
      null,
    ],
  },
  doctorChecks: [
    { id: 'other', status: 'ok', message: 'not about workers' },
    {
      id: 'stdlib.workers.contract',
      status: 'warn',
      message: `bounded; password=${SECRETS[2]}; last: ${SECRETS[0]}`,
    },
  ],
};

const withPlan = (command, value, ...more) =>
  runCli([command, '-', ...more], {
    input: typeof value === 'string' ? value : JSON.stringify(value),
  });

function expectNoSecrets({ stdout, stderr }) {
  for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret);
}

const workerRows = ({ stdout }) =>
  JSON.parse(stdout).checks.filter(({ id }) => id.startsWith('stdlib.'));

describe('sloppy-workers doctor', () => {
  test('checks this machine', async () => {
    const { code, stdout, stderr } = await runCli(['doctor']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^Sloppy Doctor\n\n(\[(ok|warn|skipped)\] [a-z0-9.]+: .+\n)+$/,
    );
    expect(stdout).toContain(`ABI ${process.versions.modules}`);
    expect(stdout).toContain('[ok] isolate.start: first answer after');
    expect(stdout).toContain('] sandbox.layers: the option sandbox');
  });

  test('adds the worker rows of a plan, in order', async () => {
    const ended = await withPlan('doctor', plan, '--json');
    expect(ended.code).toBe(0);
    expect(workerRows(ended)).toEqual([
      {
        id: 'stdlib.workers.required',
        status: 'ok',
        message: 'Workers feature metadata is Plan-visible',
      },
      {
        id: 'stdlib.workers.lifecycle',
        status: 'ok',
        message:
          'workers are runtime resources with explicit bounded lifecycle policy metadata',
      },
      {
        id: 'stdlib.workers.redaction',
        status: 'ok',
        message: 'worker doctor metadata omits payload and secret values',
      },
      {
        id: 'stdlib.workers.contract',
        status: 'warn',
        message: 'bounded; password=[redacted]; last: [redacted]',
      },
    ]);
    expectNoSecrets(ended);
  });

  test('--format json is --json, and --plan is the argument', async () => {
    const args = ['doctor', '--plan', '-', '--format', 'json'];
    const ended = await runCli(args, { input: JSON.stringify(plan) });
    expect(workerRows(ended)).toHaveLength(4);
  });

  test('leaves them out for a plan without workers', async () => {
    const ended = await withPlan(
      'doctor',
      { ...plan, requiredFeatures: ['stdlib.time'] },
      '--json',
    );
    expect(workerRows(ended)).toEqual([]);
  });

  test('an error in a row makes the exit code 1', async () => {
    const doctorChecks = [
      { id: 'stdlib.workers.contract', status: 'error', message: 'broken' },
    ];
    const ended = await withPlan('doctor', { ...plan, doctorChecks });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('[error] stdlib.workers.contract: broken');
  });
});

describe('sloppy-workers audit', () => {
  test('lists resources and warns of what is odd', async () => {
    const ended = await withPlan('audit', plan, '--json');
    expect(ended.code).toBe(0);
    const { findings } = JSON.parse(ended.stdout);
    const brief = findings.map(
      ({ severity, code, path }) =>
        `${severity} ${code.replace('SLOPPY_AUDIT_WORKERS_', '')} ${path}`,
    );
    expect(brief).toEqual([
      'note PLAN_VISIBLE requiredFeatures',
      'note BOUNDED workers',
      'note PAYLOAD_REDACTED workers',
      'warning POLICY workers.policy.ownerThreadSettlement',
      'note RESOURCE workers.resources[0]',
      'note RESOURCE workers.resources[1]',
      'warning FIELD_UNKNOWN workers.resources[1]',
      'note RESOURCE workers.resources[2]',
      'warning UNBOUNDED workers.resources[2].maxQueued',
      'note RESOURCE workers.resources[3]',
      'warning OVERSIZED workers.resources[3].maxQueued',
      'note RESOURCE workers.resources[4]',
      'warning MEMORY workers.resources[4].memoryLimitMb',
      'note RESOURCE workers.resources[5]',
      'warning UNBOUNDED workers.resources[5].maxQueued',
      'warning UNBOUNDED workers.resources[5].concurrency',
      'warning KIND_UNKNOWN workers.resources[6]',
      'warning KIND_UNKNOWN workers.resources[7]',
    ]);
    expect(findings.slice(0, 3).map(({ message }) => message)).toEqual([
      'sloppy/workers is Plan-visible as stdlib.workers',
      'worker queues, pools, services, and JS workers must declare bounded lifecycle policy before runtime admission',
      'worker audit output reports policy metadata without payload values',
    ]);
    expect(findings[5].message).toBe(
      'workQueue "emails": maxQueued 64, concurrency 2, overflow backpressure',
    );
    expectNoSecrets(ended);
  });

  test('as text, one line for each finding', async () => {
    const ended = await withPlan('audit', plan);
    expect(ended.stdout).toMatch(
      /^Sloppy Audit\n\n(\[(note|warning)\] SLOPPY_AUDIT_\w+ .+ \(.+\)\n)+$/,
    );
    expectNoSecrets(ended);
  });

  test('says so when there is nothing', async () => {
    const ended = await withPlan('audit', { requiredFeatures: [] });
    expect(ended).toMatchObject({
      code: 0,
      stdout: 'Sloppy Audit\n\nNo findings.\n',
    });
    const json = await withPlan('audit', {}, '--json');
    expect(JSON.parse(json.stdout)).toEqual({ findings: [] });
  });

  test('understands what an app contributes', async () => {
    const app = Sloppy.create();
    app.use(WorkQueue.create('mails'));
    app.use(WorkerPool.create('images', { workers: 3 }));
    const { workers } = app.__getPlanContributions();
    const requiredFeatures = ['stdlib.workers'];
    const ended = await withPlan('audit', { requiredFeatures, workers });
    expect(ended.stdout).toContain('workQueue "mails": maxQueued 1024');
    expect(ended.stdout).toContain('workerPool "images": workers 3');
    expect(ended.stdout).not.toContain('[warning]');
    await app.shutdown();
  });

  test.each(['not json hunter2hunter2', '[1]', 'null', ''])(
    '%j is no plan',
    async (text) => {
      const audited = await withPlan('audit', text);
      expect(audited.code).toBe(1);
      expect(audited.stdout).toContain('[error] SLOPPY_AUDIT_PLAN_UNREADABLE');
      expectNoSecrets(audited);
      const doctored = await withPlan('doctor', text);
      expect(doctored.code).toBe(1);
      expect(doctored.stdout).toContain('[error] app.plan.parse');
      expectNoSecrets(doctored);
    },
  );

  test.each([
    [[], 2],
    [['a.json', '--plan', 'b.json'], 2],
    [['absent.json'], 3],
    [['-', '--format', 'xml'], 2],
  ])('%j ends with exit code %i', async (args, exit) => {
    const { code, stdout } = await runCli(['audit', ...args]);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
  });
});
