'use strict';
// The owner's side of a sandbox's process that runs jobs: the frames that it sends,
// in their order, and how it takes the words and the end.

const { kindsOf, newLine, released, turns } = require('./fake-line.js');
const { jobWith } = require('../fake-child.js');
const { testEnds } = require('../line-ends.js');
const { Kind } = require('../../../../lib/executors/sandbox/kinds.js');
const { Report, Start } = require('../../../../lib/executors/owned/reports.js');
const { Channel } = require('../../../../lib/protocol/wire.gen.js');
const {
  Code,
  DIAGNOSTICS,
} = require('../../../../lib/protocol/diagnostics.gen.js');
const { NOTHING, done, message, packed, word } = require('./said.js');

const UNAVAILABLE = DIAGNOSTICS[Code.FeatureUnavailable].id;
/** One that has begun, and nothing of that. */
function begun(settings) {
  const its = newLine(settings);
  its.greet();
  its.say(Kind.Ready);
  its.told();
  its.heard();
  return its;
}

const jobOf = (more) => jobWith({ runMs: 50, input: packed(1), ...more });
const entryWith = (modules) => ({
  kind: 1,
  name: 'f',
  text:
    modules === undefined ? '() => 1' : `[() => 1,${JSON.stringify(modules)}]`,
});

describe('a job', () => {
  test('is told what it needs before itself', () => {
    const its = begun();
    const value = packed('shared');
    const parts = [{ number: 4, packed: value }];
    const shared = { number: 4, gone: [2, 3], parts };
    its.line.send(jobOf({ forget: [1, 2], entry: entryWith(), shared }));
    const frames = its.told();
    expect(kindsOf(frames)).toEqual([
      ['Forget', 1],
      ['Forget', 2],
      ['Entry', 9],
      ['Unshare', 2],
      ['Unshare', 3],
      ['Share', 4],
      ['Job', 7],
    ]);
    expect(frames[5][2]).toEqual(value);
    expect(frames[6][2].subarray(20)).toEqual(packed(1));
    expect(its.heard()).toEqual([
      { kind: Report.Began, seq: 7, at: expect.any(BigInt) },
    ]);
  });

  test('that the process knows is told alone; without a limit nothing begins', () => {
    const its = begun();
    its.line.send(jobOf({ runMs: Infinity }));
    expect(kindsOf(its.told())).toEqual([['Job', 7]]);
    expect(its.heard()).toEqual([]);
  });

  test('waits for its modules, if it is the first one', () => {
    const its = begun();
    const entry = entryWith([['x', '/x.mjs']]);
    its.line.send(jobOf({ entry }));
    expect(kindsOf(its.told())).toEqual([['Graph', 1]]);
    expect(its.heard()).toEqual([]);
    its.say(Kind.Loaded, 1);
    expect(kindsOf(its.told())).toEqual([
      ['Entry', 9],
      ['Job', 7],
    ]);
    its.say(Kind.Done, 7, done(0, 'its value'));
    its.line.send(jobOf({ seq: 8, entry }));
    expect(kindsOf(its.told())).toEqual([
      ['Entry', 9],
      ['Job', 8],
    ]);
  });

  test('ends as it says, once', () => {
    const its = begun();
    its.line.send(jobOf());
    its.heard();
    its.say(Kind.Message, 7, message(Channel.Emit, 'said'));
    its.say(Kind.Took);
    its.say(Kind.Done, 7, done(0, 'its value'));
    expect(its.heard()).toEqual([
      { kind: Report.Message, seq: 7, channel: Channel.Emit, value: 'said' },
      { kind: Report.TookShared, at: expect.any(BigInt) },
      {
        kind: Report.Done,
        seq: 7,
        status: 0,
        detail: 0,
        value: 'its value',
        spoilt: false,
      },
    ]);
    its.say(Kind.Done, 7, done(0, 'another'));
    expect(its.heard()).toEqual([]);
    expect(its.child.killedBy).toEqual(['SIGKILL']);
  });
});

describe('the owner tells', () => {
  const mail = (channel, credits) => ({
    mail: 7,
    channel,
    value: { packed: packed('mail'), credits },
  });

  test.each([
    ['a cancellation', { cancel: 7, why: 3 }, ['Cancel', 7, word(3)]],
    [
      'a message',
      mail(Channel.Input, 0),
      ['Mail', 7, Buffer.concat([word(Channel.Input), packed('mail')])],
    ],
    ['that it listens', { listens: true }, ['Listens', 1, NOTHING]],
    ['that it does not', { listens: false }, ['Listens', 0, NOTHING]],
    ['that it hears', { hears: true }, ['Hears', 1, NOTHING]],
    ['that it does not hear', { hears: false }, ['Hears', 0, NOTHING]],
    ['its end', { leave: true }, ['Leave', 0, NOTHING]],
  ])('%s', (_what, told, frame) => {
    const its = begun();
    its.line.send(told);
    expect(its.told()).toEqual([frame]);
  });

  test('nothing of what only other processes know', () => {
    const its = begun();
    its.line.send({ figures: 1 });
    expect(its.told()).toEqual([]);
  });

  test('a reason', () => {
    const its = begun();
    its.line.sendReason({ seq: 7, value: { packed: packed('why') } });
    expect(its.told()).toEqual([['Reason', 7, packed('why')]]);
  });

  test('that there is room in a stream, and so there is', () => {
    const its = begun();
    its.line.send(jobOf());
    const says = () => its.say(Kind.Message, 7, message(Channel.Stream, 1));
    for (let i = 0; i < 16; i += 1) says();
    its.line.send(mail(Channel.Stream, 2));
    says();
    says();
    expect(its.child.killedBy).toEqual([]);
    says();
    expect(its.child.killedBy).toEqual(['SIGKILL']);
  });

  test('nothing more to one that leaves 16 MiB unread', () => {
    const its = begun();
    its.socket.writableLength = 16 * 2 ** 20;
    its.line.send(mail(Channel.Input, 0));
    expect(its.child.killedBy).toEqual([]);
    its.told();
    its.socket.writableLength += 1;
    its.line.send(mail(Channel.Input, 0));
    expect(its.told()).toEqual([]);
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    its.child.emit('exit', null, 'SIGKILL');
    expect(its.line.end().value.message).toMatch(/reads nothing/);
  });
});

test('output is heard while somebody listens', () => {
  const its = begun();
  const print = () =>
    its.say(Kind.Message, 0, message(Channel.Output, [1, 'text']));
  its.line.send({ hears: true });
  print();
  expect(its.heard()).toEqual([
    {
      kind: Report.Message,
      seq: 0,
      channel: Channel.Output,
      value: [1, 'text'],
    },
  ]);
  its.line.send({ hears: false });
  // It may have printed before it has read that.
  print();
  expect(its.heard()).toEqual([]);
  expect(its.child.killedBy).toEqual([]);
});

test('the owner waits for a process while a job does', () => {
  const its = newLine();
  const holds = () => [
    its.child.holds,
    its.socket.holds,
    its.child.stderr.holds,
  ];
  expect(holds()).toEqual([false, false, false]);
  its.line.hold(true);
  expect(holds()).toEqual([true, true, true]);
  its.line.hold(false);
  expect(holds()).toEqual([false, false, false]);
});

describe('the end', () => {
  test('a wrong word is its last one, and is the cause', () => {
    const its = begun();
    its.say(99);
    its.say(Kind.Took, 0, NOTHING);
    its.socket.writableLength = 2 ** 30;
    its.line.send({ mail: 7, channel: Channel.Input, value: {} });
    expect(its.heard()).toEqual([]);
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    its.child.emit('exit', null, 'SIGKILL');
    expect(its.line.end()).toEqual({
      state: Start.Ready,
      isOverLimit: false,
      isInterrupted: false,
      value: expect.objectContaining({
        message: 'the process has sent a frame of no known kind',
      }),
    });
  });

  test('its socket and it have ended: all is over', () => {
    const its = begun();
    its.child.emit('exit', 3, null);
    its.child.emit('close');
    expect(its.heard()).toEqual([]);
    its.socket.emit('close');
    expect(its.heard()).toEqual(['exited']);
    expect(released.at(-1)).toBe(its.child.pid);
    expect(its.line.end().value.props).toEqual({ signal: null, exitCode: 3 });
  });

  testEnds(begun);

  test('what it wrote to stderr first is told', () => {
    const its = begun();
    const { stderr } = its.child;
    expect(stderr.encoding).toBe('utf8');
    stderr.emit('error', new Error('closed'));
    stderr.emit('data', 'a'.repeat(4000));
    expect(stderr.destroyed).toBe(false);
    stderr.emit('data', 'b'.repeat(95));
    expect(stderr.destroyed).toBe(false);
    stderr.emit('data', 'cd');
    expect(stderr.destroyed).toBe(true);
    its.child.emit('exit', 1, null);
    const { props } = its.line.end().value;
    expect(props.stderr).toBe(`${'a'.repeat(4000)}${'b'.repeat(95)}c`);
  });

  test('close() leaves neither streams nor timers', () => {
    const its = newLine();
    its.child.emit('exit', 0, null);
    its.line.close();
    expect(its.socket.destroyed).toBe(true);
    expect(its.child.stderr.destroyed).toBe(true);
    expect(its.newTimers().filter(({ isPending }) => isPending)).toEqual([]);
    // One that was given up has not ended.
    const lost = newLine();
    lost.line.close();
    expect(lost.newTimers().filter(({ isPending }) => isPending)).toEqual([]);
  });

  const gone = (its, code, signal) => {
    its.child.emit('exit', code, signal);
    its.child.emit('close');
    its.socket.emit('close');
    return its.heard();
  };

  test('before its greeting: there is no sandbox', async () => {
    const its = newLine();
    const asked = its.sandbox.state.held();
    const [failed, exited] = gone(its, 9, null);
    expect(failed).toMatchObject({ kind: Report.Failed, status: UNAVAILABLE });
    expect(failed.value.message).toMatch(/not preloaded/);
    expect(failed.value.props).toEqual({ signal: null, exitCode: 9 });
    expect(exited).toBe('exited');
    await expect(asked).rejects.toMatchObject({
      code: Code.FeatureUnavailable,
    });
  });

  test('before its greeting, of what another may not have', async () => {
    const its = newLine();
    const asked = its.sandbox.state.held();
    expect(gone(its, null, 'SIGINT')).toEqual(['exited']);
    expect(its.line.end().isInterrupted).toBe(true);
    await expect(asked).rejects.toMatchObject({ code: Code.Crashed });
  });

  test('before its greeting, by its owner, says nothing', async () => {
    const its = newLine();
    const { state } = its.sandbox;
    const asked = state.held();
    its.line.terminate();
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    expect(gone(its, null, 'SIGKILL')).toEqual(['exited']);
    // The next process answers.
    state.greeted({ layers: {} });
    await expect(asked).resolves.toEqual({ layers: {} });
  });

  test('before its greeting is told once, however often it is seen', async () => {
    const its = newLine();
    const { state } = its.sandbox;
    its.child.emit('exit', 74, null);
    its.newTimers().at(-1).fire();
    await turns();
    expect(its.heard()).toEqual(['exited']);
    const asked = state.held();
    // As its streams do that are open elsewhere, when they are given up.
    its.child.emit('close');
    its.socket.emit('close');
    state.greeted({ layers: {} });
    await expect(asked).resolves.toEqual({ layers: {} });
  });

  test('after its greeting it has been one', () => {
    const its = begun();
    expect(gone(its, null, 'SIGINT')).toEqual(['exited']);
    expect(its.line.end().isInterrupted).toBe(false);
    expect(its.sandbox.state.isKnown).toBe(true);
  });

  test.each([
    [74, null, true],
    [71, null, true],
    [9, null, false],
    [null, 'SIGTERM', true],
    [null, 'SIGSEGV', false],
  ])(
    'by %p or %p before it: others may start, %p',
    (code, signal, isPassing) => {
      const failed = gone(newLine(), code, signal).length > 1;
      expect(failed).toBe(!isPassing);
    },
  );

  test('by a fault where others have greeted is its own', () => {
    const { state } = newLine().sandbox;
    state.greeted({ layers: {}, errors: {} });
    expect(gone(newLine({ sandbox: { state } }), null, 'SIGSEGV')).toEqual([
      'exited',
    ]);
    expect(state.isKnown).toBe(true);
  });
});
