'use strict';
// The owner's side of one of Node's processes: the frames that it sends, and how
// it takes the words and the end. The process is the test.

const {
  FakeStream,
  framesTo,
  jobWith,
  released,
  withChild,
} = require('../fake-child.js');
const { testEnds } = require('../line-ends.js');

const words = { memory: new ArrayBuffer(24) };
let closed = 0;
let common;
jest.mock('../../../../lib/executors/process/common-words.js', () => ({
  makeWords: (jobs) => mockWords(jobs),
}));
function mockWords(jobs) {
  if (common === null) return undefined;
  const close = () => {
    closed += 1;
  };
  common = { jobs, file: 77, words, close };
  return common;
}

const LIB = '../../../../lib';
const { headerOf } = require(`${LIB}/wire/frames.js`);
const { binaryFile } = require(`${LIB}/addon/load.js`);
const { Packed } = require(`${LIB}/executors/owned/packed.js`);
const { Report, Start } = require(`${LIB}/executors/owned/reports.js`);
const { Kind, deserialize } = require(`${LIB}/executors/process/frames.js`);
const { ProcessLine } = require(`${LIB}/executors/process/process-line.js`);
const { doneHead, messageParts, pack, packLater } = require(
  `${LIB}/executors/process/small-frames.js`,
);

function newLine(settings = {}) {
  const options = { nice: 3 };
  const whole = {
    maxResultBytes: 1000,
    memoryLimitMb: 64,
    concurrentJobsPerWorker: 5,
    nodeOptions: {},
    ...settings,
  };
  const { stdio } = whole.nodeOptions;
  const stdout = typeof stdio === 'function' ? new FakeStream() : null;
  const its = withChild(
    (events) => new ProcessLine(events, 4, options, whole),
    stdout,
  );
  return { ...its, told: () => framesTo(its.socket, Kind) };
}

function begun(settings) {
  const its = newLine(settings);
  its.told();
  its.say(Kind.Online);
  its.say(Kind.State, Start.Ready);
  its.heard();
  return its;
}

const jobOf = (more) =>
  jobWith({ mode: 2, remainingMs: 5, input: pack('input'), ...more });
const message = (report) => {
  const [number, ...parts] = messageParts(report);
  return [Kind.Report, number, Buffer.concat(parts)];
};
const done = (value) =>
  Buffer.concat([
    doneHead({ status: 0, detail: 3, spoilt: true }),
    pack(value),
  ]);

beforeEach(() => {
  common = undefined;
  closed = 0;
});

describe('the start', () => {
  test('is told at once, with what both write', () => {
    const its = newLine();
    const [[kind, number, body], ...more] = its.told();
    expect([kind, number, more]).toEqual(['Start', 0, []]);
    expect(deserialize(body)).toEqual({
      options: { nice: 3 },
      initData: undefined,
      guard: binaryFile() ?? '',
      owner: process.pid,
      aheadBytes: 24,
    });
    expect(common.jobs).toBe(5);
    expect(its.how[2].stdio).toContain(77);
    expect(its.line.ahead).toBe(words);
    // The process has it then.
    expect(closed).toBe(1);
  });

  test('without such memory none is ahead', () => {
    common = null;
    const its = newLine({ init: { data: { a: 1 } } });
    const { aheadBytes, initData } = deserialize(its.told()[0][2]);
    expect([aheadBytes, initData]).toEqual([0, { a: 1 }]);
    expect(its.line.ahead).toBeUndefined();
    expect(its.how[2].stdio).toHaveLength(5);
  });

  test('it tells how far it is', async () => {
    const its = newLine();
    expect(await its.line.stateLater()).toBe(Start.Booting);
    its.say(Kind.Online);
    expect(its.heard()).toEqual(['online']);
    expect(await its.line.stateLater()).toBe(Start.Booting);
    its.say(Kind.State, Start.Runs);
    expect(await its.line.stateLater()).toBe(Start.Runs);
    expect(its.heard()).toEqual([]);
    const { line } = its;
    expect([line.state, line.threadId, line.why]).toEqual([undefined, 0, 0]);
    expect(line.pid).toBe(its.child.pid);
    expect(ProcessLine.sharesMemory).toBe(false);
    expect(line.mostAhead).toBe(2 ** 20);
  });
});

describe('the owner tells', () => {
  test('a job in few bytes', () => {
    const its = begun();
    its.line.send(jobOf());
    const [[kind, seq, body], ...more] = its.told();
    expect([kind, seq, more]).toEqual(['Job', 7, []]);
    expect(body.subarray(48)).toEqual(pack('input'));
  });

  test('one with its entry as a message', () => {
    const its = begun();
    const entry = { id: 9, text: 'f' };
    its.line.send(jobOf({ entry }));
    const [[kind, , body]] = its.told();
    expect(kind).toBe('Message');
    expect(deserialize(body)).toMatchObject({ seq: 7, entry });
  });

  test('what is no job', () => {
    const its = begun();
    its.line.send({ cancel: 7, why: 2 });
    its.line.sendReason({ seq: 7, value: 'why' });
    const frames = its
      .told()
      .map(([kind, , body]) => [kind, deserialize(body)]);
    expect(frames).toEqual([
      ['Message', { cancel: 7, why: 2 }],
      ['Reason', { seq: 7, value: 'why' }],
    ]);
  });

  test('shapes before the value that has them, each once', () => {
    const its = begun();
    const shapes = ['one'];
    const input = () => new Packed(Buffer.of(4, 1, 2), shapes);
    its.line.send(jobOf({ input: input() }));
    its.line.send(jobOf({ input: input() }));
    shapes.push('two');
    its.line.send({ mail: 7, channel: 4, value: input() });
    const frames = its.told();
    expect(frames.map(([kind]) => kind)).toEqual([
      ...['Shapes', 'Job', 'Job', 'Shapes', 'Message'],
    ]);
    expect(deserialize(frames[0][2])).toEqual(['one']);
    expect(deserialize(frames[3][2])).toEqual(['two']);
    expect(frames[1][2].subarray(48)).toEqual(Buffer.of(4, 1, 2));
    expect(frames[4][2].subarray(-3)).toEqual(Buffer.of(4, 1, 2));
    expect(frames[4][1]).toBe(3);
  });

  test('a long text without bytes of it', () => {
    const its = begun();
    const text = 'x'.repeat(20_000);
    its.line.send(jobOf({ input: packLater(text) }));
    expect(its.socket.encodings.at(-1)).toBe('latin1');
    const [[kind, , body]] = its.told();
    expect(kind).toBe('Job');
    expect(body.subarray(48)).toEqual(pack(text));
    const entry = { id: 9, text: 'f' };
    its.line.send(jobOf({ input: packLater(text), entry }));
    const [[, , whole]] = its.told();
    expect(Buffer.from(deserialize(whole).input)).toEqual(pack(text));
  });
});

describe('the process tells', () => {
  test('reports, and the ends of jobs', () => {
    const its = begun();
    const report = { kind: Report.Message, seq: 7, channel: 0, value: [1] };
    its.say(...message(report));
    its.say(Kind.Done, 7, done('value'));
    expect(its.heard()).toEqual([
      report,
      {
        kind: Report.Done,
        seq: 7,
        status: 0,
        detail: 3,
        value: 'value',
        spoilt: true,
      },
    ]);
  });

  test('at most four times what a result may have, and 1 MiB', () => {
    const killed = (length) => {
      const its = begun({ maxResultBytes: 1000 });
      its.hear(headerOf(Kind.Report, 0, length));
      return its.child.killedBy;
    };
    expect(killed(4000 + 2 ** 20)).toEqual([]);
    expect(killed(4001 + 2 ** 20)).toEqual(['SIGKILL']);
  });

  test('a wrong word, which is its last one, and the cause', () => {
    const its = begun();
    its.say(99);
    its.say(Kind.Done, 7, done('value'));
    expect(its.heard()).toEqual([]);
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    its.socket.emit('close');
    its.newTimers().at(-1).fire();
    expect(its.child.killedBy).toEqual(['SIGKILL']);
    its.child.emit('exit', null, 'SIGKILL');
    expect(its.line.end().value.message).toBe(
      'the process has sent a frame of no known kind',
    );
  });

  test('its output, to a listener', () => {
    const heard = [];
    const stdio = (text, from) => heard.push([text, from]);
    const its = begun({ nodeOptions: { stdio } });
    const { stderr, stdout } = its.child;
    expect([stderr.encoding, stdout.encoding]).toEqual(['utf8', 'utf8']);
    stdout.emit('error', new Error('closed'));
    stdout.emit('data', 'out');
    stderr.emit('data', `${'a'.repeat(4096)}`);
    stderr.emit('data', 'bc');
    expect(heard.map(([text, from]) => [text.length, from])).toEqual([
      [3, { fd: 1, worker: 4 }],
      [4096, { fd: 2, worker: 4 }],
      [2, { fd: 2, worker: 4 }],
    ]);
    its.child.emit('exit', 1, null);
    const { props } = its.line.end().value;
    expect(props.stderr).toBe(`${'a'.repeat(4094)}bc`);
  });
});

test('the owner waits for a process while a job does', () => {
  const its = newLine({ nodeOptions: { stdio: () => {} } });
  const { child, line, socket } = its;
  const holds = () =>
    [child, socket, child.stdout, child.stderr].map((each) => each.holds);
  expect(holds()).toEqual([false, false, false, false]);
  line.hold(true);
  expect(holds()).toEqual([true, true, true, true]);
  line.hold(false);
  expect(holds()).toEqual([false, false, false, false]);
});

describe('the end', () => {
  test('its socket and it have ended: all is over', () => {
    const its = begun();
    its.child.emit('exit', 3, null);
    its.child.emit('close');
    expect(its.heard()).toEqual([]);
    its.socket.emit('close');
    expect(its.heard()).toEqual(['exited']);
    expect(released.at(-1)).toBe(its.child.pid);
    const end = its.line.end();
    expect(end).toMatchObject({
      state: Start.Ready,
      isOverLimit: false,
      isInterrupted: false,
    });
    expect(end.value.props).toEqual({ signal: null, exitCode: 3 });
    expect(end.value.message).toMatch(/process.exit\(3\)/);
  });

  testEnds(begun);

  test('before Node runs it is no job’s', () => {
    const its = newLine();
    its.child.emit('exit', 9, null);
    expect(its.line.end().value.message).toMatch(/before it took jobs/);
    expect(its.line.end().isInterrupted).toBe(false);
    const interrupted = newLine();
    interrupted.child.emit('exit', null, 'SIGINT');
    expect(interrupted.line.end().isInterrupted).toBe(true);
    const later = begun();
    later.child.emit('exit', null, 'SIGINT');
    expect(later.line.end().isInterrupted).toBe(false);
  });

  test('close() leaves neither its socket nor a timer', () => {
    const its = begun();
    its.child.emit('exit', 0, null);
    its.line.close();
    expect(its.socket.destroyed).toBe(true);
    expect(its.newTimers().filter(({ isPending }) => isPending)).toEqual([]);
    // One that was given up has not ended.
    const lost = begun();
    lost.line.close();
    expect(lost.socket.destroyed).toBe(true);
  });
});
