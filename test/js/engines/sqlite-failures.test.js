'use strict';
// A failure at every statement of every operation of sloppy-workers/sqlite: all
// of it is in the file, or nothing.

const mockFault = { at: Infinity, error: undefined, count: 0 };

jest.mock('../../../lib/adapters/journal/sqlite.js', () => {
  const actual = jest.requireActual('../../../lib/adapters/journal/sqlite.js');
  const counted = (sql, call) => {
    // A statement that undoes a transaction is not made to fail, because SQLite
    // does it by itself.
    if (/^ROLLBACK|^PRAGMA/.test(sql)) return call();
    mockFault.count += 1;
    if (mockFault.count === mockFault.at) throw mockFault.error;
    return call();
  };
  const statement = (sql, real) => ({
    get: (...values) => counted(sql, () => real.get(...values)),
    all: (...values) => counted(sql, () => real.all(...values)),
    run: (...values) => counted(sql, () => real.run(...values)),
  });
  const openDatabase = (...words) =>
    new Proxy(actual.openDatabase(...words), {
      get(handle, name) {
        if (name === 'prepare') {
          return (sql) => statement(sql, handle.prepare(sql));
        }
        const value = handle[name];
        return typeof value === 'function' ? value.bind(handle) : value;
      },
    });
  return { ...actual, openDatabase };
});

const { openDatabase } = jest.requireActual(
  '../../../lib/adapters/journal/sqlite.js',
);
const { checkLists, files, withDriver } = require('./sqlite-support.js');

const TOKEN = 'token';
const KINDS = {
  'of the file': { code: 'SQLITE_FULL' },
  'of one statement': { code: 'SQLITE_CONSTRAINT' },
};

const jobOf = (opts = {}, more = {}) => ({
  ...{ name: 'job', data: '{"a":1}', opts, timestamp: 1000, ...more },
});

async function active(backend, opts, more) {
  const id = await backend.addJob(jobOf(opts, more), '');
  await backend.moveToActive(TOKEN);
  return id;
}

async function failed(backend) {
  const id = await active(backend);
  await backend.moveToFailed({ id, opts: {} }, 'no', false, TOKEN, false);
  return id;
}

const keyOf = (backend, id) => ({
  parentKey: `${backend.qualifiedName}:${id}`,
  parent: { id, queueKey: backend.qualifiedName, fpof: true },
});

/** A parent that waits for a child. @returns {[string, string]} both ids */
async function family(backend) {
  const parent = await backend.addJob(jobOf(), '', {
    addToWaitingChildren: true,
  });
  const child = await backend.addJob(jobOf({}, keyOf(backend, parent)), '');
  return [parent, child];
}

const scheduler = (backend) =>
  backend.addJobScheduler(
    ...['beat', 5000, '{"b":1}', {}, { name: 'beat', every: 1000 }],
    { repeat: { every: 1000 } },
  );

/** The state before, and the operation. */
const OPERATIONS = {
  addJob: [null, (backend) => backend.addJob(jobOf({ priority: 2 }), 'x')],
  'addJob, delayed': [
    null,
    (backend) => backend.addJob(jobOf({ delay: 9 }), ''),
  ],
  'addJob, deduplicated': [
    (backend) =>
      backend.addJob(jobOf({ delay: 9, deduplication: { id: 'd' } }), ''),
    (backend) =>
      backend.addJob(
        jobOf({ delay: 9, deduplication: { id: 'd', replace: true } }),
        '',
      ),
  ],
  addJobs: [
    null,
    (backend) =>
      backend.addJobs([1, 2, 3].map((n) => ({ job: jobOf(), jobId: `j${n}` }))),
  ],
  addFlow: [
    null,
    (backend) =>
      backend.addFlow([
        {
          ...{ jobData: jobOf(), jobId: 'p', queueName: 'q', prefix: 'bull' },
          parentKeyOpts: { addToWaitingChildren: true },
        },
        {
          ...{ jobData: jobOf({}, keyOf(backend, 'p')), jobId: 'c' },
          ...{ queueName: 'q', prefix: 'bull', parentKeyOpts: {} },
        },
      ]),
  ],
  moveToActive: [
    async (backend) => {
      await backend.addJob(jobOf({ delay: 1 }), '');
      await backend.addJob(jobOf(), '');
    },
    (backend) => backend.moveToActive(TOKEN),
  ],
  'moveToCompleted and the next': [
    async (backend) => {
      const id = await active(backend, { deduplication: { id: 'd' } });
      await backend.addJob(jobOf(), '');
      return id;
    },
    (backend, id) =>
      backend.moveToCompleted(
        { id, opts: {} },
        { a: 1 },
        { count: 1 },
        TOKEN,
        true,
      ),
  ],
  'moveToFailed of a child': [
    async (backend) => {
      const [, child] = await family(backend);
      await backend.moveToActive(TOKEN);
      return child;
    },
    (backend, id) =>
      backend.moveToFailed({ id, opts: {} }, 'no', true, TOKEN, false, {
        stacktrace: '[]',
      }),
  ],
  moveToDelayed: [
    active,
    (backend, id) => backend.moveToDelayed(id, 2000, 50, TOKEN),
  ],
  moveToWaitingChildren: [
    async (backend) => {
      const id = await active(backend);
      await backend.addJob(jobOf({}, keyOf(backend, id)), '');
      return id;
    },
    (backend, id) => backend.moveToWaitingChildren(id, TOKEN),
  ],
  moveJobFromActiveToWait: [
    active,
    (backend, id) => backend.moveJobFromActiveToWait(id, TOKEN),
  ],
  retryJob: [active, (backend, id) => backend.retryJob(id, true, TOKEN)],
  retryFinishedJob: [
    failed,
    (backend, id) =>
      backend.retryFinishedJob({ id, opts: {} }, 'failed', {
        resetAttemptsMade: true,
      }),
  ],
  retryFinishedJobs: [failed, (backend) => backend.retryFinishedJobs('failed')],
  promote: [
    (backend) => backend.addJob(jobOf({ delay: 9 }), ''),
    (backend, id) => backend.promote(id),
  ],
  promoteJobs: [
    (backend) => backend.addJob(jobOf({ delay: 9 }), ''),
    (backend) => backend.promoteJobs(),
  ],
  changeDelay: [
    (backend) => backend.addJob(jobOf({ delay: 9 }), ''),
    (backend, id) => backend.changeDelay(id, 70),
  ],
  changePriority: [
    (backend) => backend.addJob(jobOf(), ''),
    (backend, id) => backend.changePriority(id, 7),
  ],
  moveStalledJobsToWait: [active, (backend) => backend.moveStalledJobsToWait()],
  extendLocks: [
    active,
    (backend, id) => backend.extendLocks([id], [TOKEN], 90_000),
  ],
  pause: [null, (backend) => backend.pause(true)],
  drain: [
    (backend) => backend.addJob(jobOf(), ''),
    (backend) => backend.drain(true),
  ],
  cleanJobsByState: [
    failed,
    (backend) => backend.cleanJobsByState('failed', Date.now() + 1, 0),
  ],
  obliterate: [
    async (backend) => {
      await family(backend);
      await scheduler(backend);
      await backend.pause(true);
    },
    (backend) => backend.obliterate({ force: true, count: 100 }),
  ],
  remove: [family, (backend, [parent]) => backend.remove(parent, true)],
  removeUnprocessedChildren: [
    family,
    (backend, [parent]) => backend.removeUnprocessedChildren(parent),
  ],
  removeChildDependency: [
    family,
    (backend, [parent, child]) =>
      backend.removeChildDependency(child, keyOf(backend, parent).parentKey),
  ],
  deleteDeduplicationKey: [
    (backend) => backend.addJob(jobOf({ deduplication: { id: 'd' } }), ''),
    (backend) => backend.deleteDeduplicationKey('d'),
  ],
  addJobScheduler: [null, scheduler],
  'addJobScheduler again': [scheduler, scheduler],
  updateJobSchedulerNextMillis: [
    async (backend) => (await scheduler(backend))[0],
    (backend, id) =>
      backend.updateJobSchedulerNextMillis(
        ...['beat', 0, '', { repeat: { every: 1000 } }, id],
      ),
  ],
  removeJobScheduler: [
    (backend) =>
      backend.addJobScheduler(
        ...[
          'cron',
          Date.now() + 9000,
          '{}',
          {},
          { name: 'c', pattern: '* * * * *' },
          {},
        ],
      ),
    (backend) => backend.removeJobScheduler('cron'),
  ],
  updateData: [active, (backend, id) => backend.updateData({ id }, { b: 2 })],
  updateProgress: [active, (backend, id) => backend.updateProgress(id, 7)],
  addLog: [active, (backend, id) => backend.addLog(id, 'line', 1)],
  setQueueMeta: [null, (backend) => backend.setQueueMeta({ a: 1, b: 2 })],
  setRateLimit: [null, (backend) => backend.setRateLimit(1000)],
  publishEvent: [null, (backend) => backend.publishEvent({ event: 'x' }, 10)],
};

const TABLES = [
  ...['counter', 'queue', 'meta', 'job', 'body', 'mark', 'log', 'dep'],
  ...['event', 'metric', 'dedup', 'dedup_next', 'scheduler'],
];

withDriver('driver %s', (driver) => {
  const { state, backend } = files(driver);
  afterEach(() => {
    mockFault.at = Infinity;
  });

  function dump() {
    const db = openDatabase(state.file, driver);
    const tables = TABLES.map((name) =>
      db.prepare(`SELECT * FROM ${name}`).all(),
    );
    db.close();
    return JSON.stringify(tables);
  }

  const STATES = [
    ...['waiting', 'prioritized', 'active', 'completed', 'failed', 'delayed'],
    ...['waiting-children', 'repeat'],
  ];

  const cases = Object.keys(OPERATIONS).flatMap((name) =>
    Object.keys(KINDS).map((kind) => [name, kind]),
  );

  test.each(cases)('%s: an error %s', async (name, kind) => {
    const [prepare, act] = OPERATIONS[name];
    const own = backend();
    const ends = [];
    for (let at = 1; ; at++) {
      const queue = own.forQueue(`q${at}`);
      const given = prepare ? await prepare(queue) : undefined;
      const before = dump();
      const error = Object.assign(new Error('injected'), KINDS[kind]);
      Object.assign(mockFault, { at, error, count: 0 });
      const failure = await act(queue, given).then(
        () => undefined,
        (reason) => reason,
      );
      const isInjected = mockFault.count >= at;
      mockFault.at = Infinity;
      if (failure === undefined) {
        // How a job ended is written again when the file has failed.
        ends.push(JSON.stringify(await queue.getCounts(STATES)));
        if (!isInjected) break;
        expect(kind).toBe('of the file');
        expect(name).toMatch(/^move|^retryJob$/);
      } else {
        expect(failure.code).toBe('SLOPPY_E_SQLITE_STORE_FAILED');
        expect(dump()).toBe(before);
      }
      expect(at).toBeLessThan(200);
    }
    expect(new Set(ends).size).toBe(1);
    await own.store.read(checkLists);
  });

  test('every member that writes is among them', () => {
    const own = backend();
    const covered = Object.keys(OPERATIONS).map(
      (text) => text.split(/[ ,]/)[0],
    );
    const alike = {
      extendLock: 'extendLocks',
      clearLogs: 'addLog',
      removeQueueMetaFields: 'setQueueMeta',
      removeRateLimitKey: 'setRateLimit',
      removeDeduplicationKey: 'deleteDeduplicationKey',
      trimEvents: 'publishEvent',
    };
    const without = [
      ...['constructor', 'forQueue', 'removeOrphanedJobs'],
      'removeDeprecatedPriorityKey',
    ];
    const members = Object.getOwnPropertyNames(Object.getPrototypeOf(own));
    const missing = members.filter(
      (member) =>
        !without.includes(member) && !covered.includes(alike[member] ?? member),
    );
    expect(missing).toEqual([]);
  });
});
