'use strict';
// Facts that the addon is told when a pool is made.

const fs = require('node:fs');
const os = require('node:os');

const {
  processFacts,
  systemNumbers,
} = require('../../../../lib/executors/isolate/process-facts.js');
const {
  nativeOptions,
} = require('../../../../lib/executors/isolate/pool-options.js');
const { reserveFor } = require('../../../../lib/executors/isolate/reserve.js');

const factsOf = (settings) => JSON.parse(processFacts(settings));

describe('the facts of `process`', () => {
  test('are those of this one, with nothing of its environment', () => {
    const { NODE_ENV } = process.env;
    const facts = factsOf({});
    expect(facts).toMatchObject({
      pid: process.pid,
      ppid: process.ppid,
      platform: process.platform,
      arch: process.arch,
      version: process.version,
      release: { name: 'node' },
      execPath: process.execPath,
      env: NODE_ENV === undefined ? {} : { NODE_ENV },
    });
    expect(facts.ids.uid).toBe(process.getuid());
    expect(facts.ids.groups).toEqual(process.getgroups());
    expect(facts.argv).toBeUndefined();
    expect(facts.lacks.every((name) => !(name in process))).toBe(true);
    expect(processFacts({})).toBe(processFacts({ nodeOptions: {} }));
  });

  test('with arguments of a pool', () => {
    const nodeOptions = { argv: ['a', 'b'] };
    const { execPath } = process;
    expect(factsOf({ nodeOptions }).argv).toEqual([
      execPath,
      '[worker eval]',
      'a',
      'b',
    ]);
    expect(factsOf({ nodeOptions, module: '/m.js' }).argv).toEqual([
      execPath,
      '/m.js',
      'a',
      'b',
    ]);
    expect(factsOf({}).argv).toBeUndefined();
  });

  test('with an environment of a pool, or of each worker', () => {
    const env = { A: 1, B: undefined, C: 'c' };
    const own = factsOf({ nodeOptions: { env } });
    expect(own.env).toEqual({ A: '1', C: 'c' });
    expect(own.environments).toBeUndefined();
    const environments = [{ W: 0 }, { W: 1, X: undefined }];
    const each = factsOf({ environments });
    expect(each.environments).toEqual([{ W: '0' }, { W: '1' }]);
    expect(each.env).toEqual(factsOf({}).env);
  });
});

test("the numbers of Node's modules", () => {
  expect(JSON.parse(systemNumbers())).toEqual(
    JSON.parse(JSON.stringify({ fs: fs.constants, os: os.constants })),
  );
});

describe('workers in reserve', () => {
  const base = { isolation: 'context', workers: 1, concurrentJobsPerWorker: 1 };
  const cores = jest.spyOn(os, 'availableParallelism');
  afterAll(() => cores.mockRestore());

  test.each([
    [{ isolation: 'worker' }, 8, 0],
    [{ concurrentJobsPerWorker: 2 }, 8, 0],
    [{ init: {} }, 8, 0],
    [{}, 8, 1],
    [{ isolation: 'isolate', workers: 3 }, 8, 3],
    [{ workers: 3 }, 5, 2],
    [{ workers: 3 }, 3, 1],
    [{ workers: 9 }, 3, 1],
  ])('with %p on %d cores: %d', (settings, count, expected) => {
    cores.mockReturnValue(count);
    expect(reserveFor({ ...base, ...settings })).toBe(expected);
  });
});

describe('the options of a pool', () => {
  const plain = {
    name: 'p',
    isolation: 'worker',
    workers: 1,
    concurrentJobsPerWorker: 1,
    capacity: 5,
    maxResultBytes: 100,
  };
  const optionsOf = (settings, starts = true) =>
    nativeOptions({ ...plain, ...settings }, 3, starts);
  const module = '/m.js';

  test('of a plain one', () => {
    expect(optionsOf({})).toMatchObject({
      name: 'p',
      spinMs: 3,
      endsWithIsolate: false,
      announceIdle: false,
      lateRuntime: true,
      capacity: 5,
      reserve: 0,
      deadlineFirst: false,
      starts: true,
    });
    expect(optionsOf({}, false).starts).toBe(false);
    expect(optionsOf({ order: 'deadline' }).deadlineFirst).toBe(true);
    expect(optionsOf({ port: true }).endsWithIsolate).toBe(true);
  });

  test.each([
    [{ module }],
    [{ init: { module } }],
    [{ host: {} }],
    [{ port: true }],
    [{ announceIdle: true }],
    [{ concurrentJobsPerWorker: 2 }],
  ])('a realm with %p has its runtime at once', (settings) => {
    expect(optionsOf(settings).lateRuntime).toBe(false);
  });

  test.each([
    [{ module }, false, true],
    [{ init: { module } }, false, true],
    [{ announceIdle: true }, true, true],
    [{ host: {} }, true, false],
  ])(
    'with %p: starts at once %p, tells that it is idle %p',
    (settings, starts, announceIdle) => {
      expect(optionsOf(settings)).toMatchObject({ starts, announceIdle });
    },
  );
});
