'use strict';
// Workers that are threads or processes tell their reports, their figures,
// their ends.

const { Figures } = require('../../../../lib/executors/owned/figures.js');
const {
  Report,
  Start,
  isReport,
} = require('../../../../lib/executors/owned/reports.js');
const { endOf } = require('../../../../lib/executors/owned/worker-end.js');
const {
  Code,
  DIAGNOSTICS,
} = require('../../../../lib/protocol/diagnostics.gen.js');
const { Detail } = require('../../../../lib/protocol/wire.gen.js');

describe('the end of a worker', () => {
  const statusOf = (code) => DIAGNOSTICS[code].id;
  const value = { message: 'it crashed' };
  const end = (state, more = {}) => ({
    state,
    isOverLimit: false,
    value,
    ...more,
  });
  const isOverLimit = true;

  test.each([
    [
      'at its first job',
      end(Start.Ready),
      {},
      Code.Crashed,
      Detail.None,
      value,
    ],
    [
      'before it has begun',
      end(Start.Booting),
      {},
      Code.Crashed,
      Detail.None,
      value,
    ],
    ['in its init', end(Start.Runs), {}, Code.StartupFailed, Detail.InitEnded],
    [
      'in its module',
      end(Start.Runs + 1),
      {},
      Code.StartupFailed,
      Detail.InitEnded,
    ],
    [
      'that took too long',
      end(Start.Ready),
      { isLate: true },
      Code.StartupFailed,
      Detail.InitEnded,
    ],
    [
      'over its limit',
      end(Start.Ready, { isOverLimit }),
      {},
      Code.ResourceLimit,
      Detail.MemoryLimit,
    ],
    [
      'over it in its module',
      end(Start.Runs, { isOverLimit }),
      {},
      Code.ResourceLimit,
      Detail.MemoryLimit,
    ],
    [
      'over it in its init',
      end(Start.Runs, { isOverLimit }),
      { hasInit: true },
      Code.StartupFailed,
      Detail.MemoryLimit,
    ],
  ])('%s', (_, given, start, code, detail, cause = undefined) => {
    const full = { isLate: false, hasInit: false, ...start };
    expect(endOf(given, full)).toEqual({
      status: statusOf(code),
      detail,
      value: cause,
    });
  });
});

describe('a report of a worker', () => {
  const at = 5n;
  const status = DIAGNOSTICS[Code.JobFailed].id;
  const good = {
    Starts: { at, state: 3, timeoutMs: 5 },
    Ready: {},
    Began: { seq: 0, at },
    Message: { seq: 1, channel: -1 },
    TookShared: {},
    Done: { seq: 1, status: 0, detail: 0 },
    Failed: { at, status, detail: 1 },
    Unreadable: {},
    Figures: { id: 1 },
  };
  const all = Object.entries(good).map(([name, row]) => [
    name,
    { kind: Report[name], ...row },
  ]);

  test.each(all)('%s', (_, report) => {
    expect(isReport(report)).toBe(true);
    for (const key of Object.keys(report)) {
      for (const wrong of [undefined, 'x', -1.5, null, Number.NaN]) {
        expect([key, isReport({ ...report, [key]: wrong })]).toEqual([
          key,
          false,
        ]);
      }
    }
  });

  test.each([
    [
      'a status that is none',
      { ...good.Done, kind: Report.Done, status: 9999 },
    ],
    ['a detail below 0', { ...good.Done, kind: Report.Done, detail: -1 }],
    ['a number below 0', { ...good.Done, kind: Report.Done, seq: -1 }],
    ['an unknown kind', { kind: 99 }],
    ['an inherited kind', { kind: 'toString' }],
    ['a text', 'Ready'],
    ['nothing', null],
  ])('is not %s', (_, data) => {
    expect(isReport(data)).toBe(false);
  });
});

describe('figures', () => {
  const MIB = 1024 * 1024;
  function open(...workers) {
    const kept = [];
    const pool = {
      settings: { memoryLimitMb: 3 },
      living: () => workers,
      keepAlive: (is) => kept.push(is),
    };
    return { figures: new Figures(pool), kept };
  }
  function worker(number) {
    const asked = [];
    const identity = { number, place: number - 1, threadId: 7, pid: 8 };
    return { identity, asked, askFigures: (id) => asked.push(id) };
  }

  test('of no worker', async () => {
    const { figures, kept } = open();
    const rows = await figures.stats();
    expect(rows).toEqual([]);
    expect(Object.isFrozen(rows)).toBe(true);
    expect(kept).toEqual([]);
  });

  test('of those that answer, and not of one that goes', async () => {
    const [a, b] = [worker(1), worker(2)];
    const { figures, kept } = open(a, b);
    const asking = figures.stats();
    expect(kept).toEqual([true]);
    const [[ofA], [ofB]] = [a.asked, b.asked];
    expect(ofA).not.toBe(ofB);
    // Another's answer is none, nor is one that nobody has asked for.
    figures.answered(b, ofA, { cpuMs: 1 });
    figures.answered(a, 99, { cpuMs: 2 });
    figures.answered(a, ofA, { cpuMs: 3, heapUsedBytes: Number.NaN, more: 1 });
    figures.answered(a, ofA, { cpuMs: 4 });
    figures.gone(a);
    figures.gone(b);
    const rows = await asking;
    expect(rows).toEqual([
      {
        worker: 1,
        place: 0,
        threadId: 7,
        pid: 8,
        heapUsedBytes: null,
        heapTotalBytes: null,
        externalBytes: null,
        cpuMs: 3,
        memoryLimitBytes: 3 * MIB,
        codeCache: null,
      },
    ]);
    expect(Object.isFrozen(rows[0])).toBe(true);
    expect(kept).toEqual([true, false]);
  });

  test('profiles and snapshots are of isolates', async () => {
    const { figures } = open();
    for (const call of ['cpuProfile', 'heapSnapshot']) {
      await expect(figures[call]()).rejects.toMatchObject({
        code: Code.FeatureUnavailable,
      });
    }
  });
});
