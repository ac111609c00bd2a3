'use strict';
// The owner's side of a sandbox's process until that runs jobs: the frames that it
// sends, and how it takes what is told of the start.

const { kindsOf, newLine, turns } = require('./fake-line.js');
const { Kind } = require('../../../../lib/executors/sandbox/kinds.js');
const { OwnCode } = require('../../../../lib/executors/sandbox/own-code.js');
const { Report, Start } = require('../../../../lib/executors/owned/reports.js');
const { Detail } = require('../../../../lib/protocol/wire.gen.js');
const {
  Code,
  DIAGNOSTICS,
} = require('../../../../lib/protocol/diagnostics.gen.js');
const { NOTHING, packed, word } = require('./said.js');

const UNAVAILABLE = DIAGNOSTICS[Code.FeatureUnavailable].id;
const CODE = new Map([
  [3, Buffer.of(1, 2)],
  [5, Buffer.of(6)],
]);

beforeEach(() => OwnCode.of(false).answer(CODE));

describe('the start', () => {
  test('nothing is told to a process that has not greeted', () => {
    const its = newLine();
    expect(its.told()).toEqual([]);
    expect(its.heard()).toEqual([]);
  });

  test('code comes first, then the start, and no module: it begins', () => {
    const its = newLine();
    its.greet();
    const frames = its.told();
    expect(kindsOf(frames)).toEqual([
      ['Code', 3],
      ['Code', 5],
      ['Start', 0],
      ['Begin', 0],
    ]);
    expect(frames[0][2]).toEqual(CODE.get(3));
    expect(its.heard()).toEqual(['online']);
    expect(its.sandbox.state.isKnown).toBe(true);
    expect(its.child.killedBy).toEqual([]);
  });

  test('one is asked for its code, before it begins, and gives it', () => {
    OwnCode.of(false).answer(undefined);
    const its = newLine();
    its.greet();
    expect(kindsOf(its.told())).toEqual([
      ['Start', 0],
      ['AskCode', 0],
      ['Begin', 0],
    ]);
    const other = newLine();
    other.greet();
    expect(kindsOf(other.told())).toEqual([
      ['Start', 0],
      ['Begin', 0],
    ]);
    its.say(Kind.CodeMade, 3, CODE.get(3));
    its.say(Kind.CodeMade, 5, CODE.get(5));
    expect(OwnCode.of(false).known.size).toBe(0);
    its.say(Kind.CodeMade, 0, NOTHING);
    expect(OwnCode.of(false).known).toEqual(CODE);
    // Its end takes nothing of that back.
    its.line.close();
    expect(OwnCode.of(false).known).toEqual(CODE);
  });

  test('one that ends before it has given all leaves it to the next', () => {
    OwnCode.of(false).answer(undefined);
    const its = newLine();
    its.greet();
    its.say(Kind.CodeMade, 3, CODE.get(3));
    const other = newLine();
    other.greet();
    other.line.close();
    const asks = (line) => {
      line.greet();
      return line.told().some(([kind]) => kind === 'AskCode');
    };
    expect(asks(newLine())).toBe(false);
    its.line.close();
    expect(OwnCode.of(false).known.size).toBe(0);
    expect(asks(newLine())).toBe(true);
  });

  test('a required layer is missing: nothing is told, and it ends', () => {
    const its = newLine({ sandbox: { require: ['limits'] } });
    its.greet(63 - 16);
    expect(its.told()).toEqual([]);
    const props = { layer: 'limits', errno: 'EIO' };
    const text = 'the layer "limits" does not hold (EIO)';
    expect(its.heard()).toEqual([
      {
        kind: Report.Failed,
        at: expect.any(BigInt),
        status: UNAVAILABLE,
        detail: Detail.SandboxUnavailable,
        value: expect.objectContaining({ message: text, props }),
      },
    ]);
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    expect(its.sandbox.state.isKnown).toBe(false);
  });

  test('a layer that nobody requires may be missing', () => {
    const its = newLine({ sandbox: { require: ['seccomp'] } });
    its.greet(63 - 16);
    expect(its.heard()).toEqual(['online']);
  });

  test('modules are loaded before it begins', () => {
    const settings = { module: '/m.mjs', init: { module: '/i.mjs', data: 5 } };
    const its = newLine(settings);
    its.greet();
    const frames = its.told();
    expect(kindsOf(frames.slice(-1))).toEqual([['Graph', 1]]);
    expect(String(frames.at(-1)[2])).toMatch(/i\.mjs.*m\.mjs/s);
    its.say(Kind.Loaded, 1);
    const more = its.told();
    expect(kindsOf(more)).toEqual([
      ['InitData', 0],
      ['Begin', 0],
    ]);
    expect(more[0][2]).toEqual(packed(5));
  });

  test('the next process is told which modules are foreseen', () => {
    const settings = { module: '/m.mjs' };
    const isNew = (sandbox, isWhole) => {
      const its = newLine({ ...settings, sandbox });
      its.greet();
      const [, number] = its.told().find(([kind]) => kind === 'Graph');
      its.say(Kind.Loaded, isWhole ? 1 : 0);
      return number;
    };
    const { files } = newLine().sandbox;
    expect(isNew({ files }, false)).toBe(1);
    expect(isNew({ files }, true)).toBe(1);
    expect(isNew({ files }, true)).toBe(0);
  });

  test('its files are open while modules are loaded, and then no more', async () => {
    let path = __filename;
    const question = () =>
      Buffer.concat([
        Buffer.from(new Float64Array([1e6]).buffer),
        Buffer.from(path),
      ]);
    const its = newLine({ module: '/m.mjs' });
    const answer = async (asks = 4) => {
      // Read, as src/sandbox/owner_files.h has it.
      its.say(Kind.File, asks, question());
      for (;;) {
        const [frame] = its.told().filter(([kind]) => kind === 'Answer');
        if (frame !== undefined) return [frame[1], frame[2].length > 1000];
        await new Promise(setImmediate);
      }
    };
    its.greet();
    expect(await answer()).toEqual([0, true]);
    // Asked again: the first answer was told.
    expect(await answer()).toEqual([0, true]);
    its.say(Kind.Loaded, 1);
    its.told();
    // It was seen by then, as another one was not.
    expect(await answer()).toEqual([0, true]);
    path = __dirname;
    expect(await answer(2)).toEqual([1, false]);
    expect(its.child.killedBy).toEqual([]);
    const other = newLine();
    other.greet();
    other.say(Kind.File, 4, question());
    await turns();
    const [kind, number, body] = other.told().at(-1);
    expect([kind, number, body.length]).toEqual(['Answer', 1, 0]);
  });

  test.each([
    ['init', { init: { timeoutMs: 1 } }, undefined, 1],
    ['the module', { module: '/m' }, 30, 30],
    ['both', { init: { module: '/m', timeoutMs: 5 }, module: '/m' }, 30, 35],
  ])(
    'the limit of %s begins with it',
    async (_what, settings, moduleMs, ms) => {
      const its = newLine(settings, moduleMs);
      its.greet();
      if (settings.module !== undefined) its.say(Kind.Loaded, 1);
      expect(its.heard()).toEqual([
        'online',
        {
          kind: Report.Starts,
          at: expect.any(BigInt),
          state: Start.Runs,
          timeoutMs: ms,
        },
      ]);
      expect(await its.line.stateLater()).toBe(Start.Runs);
      its.say(Kind.Ready);
      expect(its.heard()).toEqual([
        { kind: Report.Ready, at: expect.any(BigInt) },
      ]);
      expect(await its.line.stateLater()).toBe(Start.Ready);
    },
  );

  test('its failure is told with the time of it', () => {
    const its = newLine();
    its.greet();
    its.heard();
    const { id: status } = DIAGNOSTICS[Code.StartupFailed];
    const body = Buffer.concat([word(status, 2), packed({ type: 'Error' })]);
    its.say(Kind.Failed, 0, body);
    expect(its.heard()).toEqual([
      {
        kind: Report.Failed,
        at: expect.any(BigInt),
        status,
        detail: 2,
        value: expect.objectContaining({ type: 'Error', mapped: true }),
      },
    ]);
  });

  test('without either there is no limit', async () => {
    const its = newLine();
    expect(await its.line.stateLater()).toBe(Start.Booting);
    its.greet();
    expect(its.heard()).toEqual(['online']);
    expect(await its.line.stateLater()).toBe(Start.Booting);
    expect(its.line.state).toBeUndefined();
    expect(its.line.threadId).toBe(0);
    expect(its.line.why).toBe(0);
    expect(its.line.pid).toBe(its.child.pid);
  });

  test('one that says nothing for 10 s is no sandbox', async () => {
    const before = performance.now();
    const its = newLine();
    const [{ at, fire, ref }] = its.newTimers();
    expect(at).toBeGreaterThanOrEqual(before + 10_000);
    expect(ref).toBe(false);
    fire();
    // It may have said it, and nobody has read that.
    expect(its.heard()).toEqual([]);
    await turns();
    expect(its.heard()).toEqual([
      expect.objectContaining({
        kind: Report.Failed,
        status: UNAVAILABLE,
        value: expect.objectContaining({
          message: 'the process has not told within 10 s which layers hold',
        }),
      }),
    ]);
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    expect(its.line.end().isInterrupted).toBe(false);
  });

  test('one that greets, or ends, is not late', async () => {
    const its = newLine();
    its.newTimers()[0].fire();
    its.greet();
    const ended = newLine();
    ended.newTimers()[0].fire();
    ended.child.emit('exit', 1, null);
    await turns();
    expect(its.heard()).toEqual(['online']);
    expect(its.child.killedBy).toEqual([]);
    expect(ended.heard()).toEqual([]);
    expect(its.newTimers()[0].isPending).toBe(false);
  });
});
