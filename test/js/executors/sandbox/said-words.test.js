'use strict';
// Each word that a process says, when it may be said, and what the owner has of it.

const {
  Code,
  DIAGNOSTICS,
} = require('../../../../lib/protocol/diagnostics.gen.js');
const { Channel } = require('../../../../lib/protocol/wire.gen.js');
const { Kind } = require('../../../../lib/executors/sandbox/kinds.js');
const { FrameError } = require('../../../../lib/wire/frames.js');
const {
  HELLO,
  NOTHING,
  done,
  fresh,
  greeted,
  message,
  packed,
  running,
  word,
} = require('./said.js');

const MIB = 2 ** 20;
const FAILED = DIAGNOSTICS[Code.JobFailed].id;

const refuses = (talk, ...frame) =>
  expect(() => talk.read(...frame)).toThrow(FrameError);

describe('the longest body', () => {
  test.each([
    ['of few bytes', { maxResultBytes: 100 }, 200 + MIB],
    [
      'of all its memory',
      { maxResultBytes: Infinity, memoryLimitMb: 3 },
      7 * MIB,
    ],
  ])('of a result %s', (_what, settings, most) => {
    const talk = fresh(settings);
    for (const kind of [Kind.Done, Kind.Failed, Kind.Message]) {
      expect(talk.limitOf(kind)).toBe(most);
    }
  });

  test('of code is what is left of 8 MiB', () => {
    const talk = greeted();
    talk.asksCode();
    expect(talk.limitOf(Kind.CodeMade)).toBe(8 * MIB);
    talk.read(Kind.CodeMade, 0, Buffer.alloc(8 * MIB - 1));
    expect(talk.limitOf(Kind.CodeMade)).toBe(1);
  });
});

describe('a greeting', () => {
  test('is read as it is, once', () => {
    const talk = fresh();
    expect(talk.read(Kind.Hello, 0, HELLO)).toEqual({
      kind: Kind.Hello,
      body: HELLO,
    });
    refuses(talk, Kind.Hello, 0, HELLO);
  });
});

test.each([0, Kind.Start, Kind.Code, 63, 73, 255])(
  'the kind %i is nothing that a process says',
  (kind) => {
    expect(() => running().read(kind, 0, NOTHING)).toThrow(/no known kind/);
  },
);

describe('a question about a file', () => {
  const body = (path, maxBytes = 5.5) => {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(maxBytes, 0);
    return Buffer.concat([bytes, Buffer.from(path)]);
  };

  test('has its number, path and length', () => {
    expect(greeted().read(Kind.File, 4, body('/ä'))).toEqual({
      kind: Kind.File,
      question: 4,
      maxBytes: 5.5,
      path: '/ä',
    });
    expect(greeted().read(Kind.File, 1, body('')).path).toBe('');
  });

  test('is whole', () => {
    refuses(greeted(), Kind.File, 1, body('').subarray(1));
    refuses(greeted(), Kind.File, 1, NOTHING);
  });

  test('waits for the answer to the one before', () => {
    const talk = greeted();
    talk.read(Kind.File, 1, body('/a'));
    refuses(talk, Kind.File, 1, body('/b'));
    talk.answered();
    expect(talk.read(Kind.File, 1, body('/b')).path).toBe('/b');
  });
});

test('modules are loaded that were to be, once, and all of them or not', () => {
  const talk = greeted();
  refuses(talk, Kind.Loaded, 1, NOTHING);
  for (const [number, isWhole] of [
    [1, true],
    [0, false],
    [2, false],
  ]) {
    talk.loads();
    const said = talk.read(Kind.Loaded, number, NOTHING);
    expect(said).toEqual({ kind: Kind.Loaded, isWhole });
    refuses(talk, Kind.Loaded, number, NOTHING);
  }
});

test('a shared value was taken', () => {
  const said = greeted().read(Kind.Took, 0, NOTHING);
  expect(said).toEqual({ kind: Kind.Took });
});

describe('a start', () => {
  const failure = Buffer.concat([word(FAILED, 2), packed({ type: 'Error' })]);

  test('ends well, once, after it was begun', () => {
    const talk = greeted();
    refuses(talk, Kind.Ready, 0, NOTHING);
    talk.starts();
    const said = talk.read(Kind.Ready, 0, NOTHING);
    expect(said).toEqual({ kind: Kind.Ready });
    refuses(talk, Kind.Ready, 0, NOTHING);
    refuses(talk, Kind.Failed, 0, failure);
  });

  test('fails, after it was begun', () => {
    const talk = greeted();
    refuses(talk, Kind.Failed, 0, failure);
    talk.starts();
    expect(talk.read(Kind.Failed, 0, failure)).toEqual({
      kind: Kind.Failed,
      status: FAILED,
      detail: 2,
      value: expect.objectContaining({ type: 'Error', mapped: true }),
    });
    refuses(talk, Kind.Failed, 0, word(FAILED));
    refuses(talk, Kind.Failed, 0, NOTHING);
  });
});

describe('the end of a job', () => {
  const end = (status, detail, spoilt, value) =>
    Buffer.concat([word(status, detail, spoilt), packed(value)]);

  test.each([0, 1, 2])('whose process is spoilt by %i', (spoilt) => {
    const said = running().read(Kind.Done, 7, end(0, 64, spoilt, 'value'));
    expect(said).toEqual({
      kind: Kind.Done,
      seq: 7,
      status: 0,
      detail: 64,
      value: 'value',
      spoilt: spoilt === 1,
    });
  });

  test('is of the job that runs', () => {
    refuses(greeted(), Kind.Done, 0, done(0, 1));
    refuses(running(), Kind.Done, 8, done(0, 1));
    const talk = running();
    talk.read(Kind.Done, 7, done(0, 1));
    refuses(talk, Kind.Message, 7, message(Channel.Emit, 1));
  });

  test('with a value that nobody can read is refused', () => {
    const value = packed([1, 2]);
    // A list of many, where two come.
    value.writeDoubleLE(7 * 2 ** 1000, value.length - 8);
    refuses(running(), Kind.Done, 7, Buffer.concat([word(0, 0, 0), value]));
  });

  test.each([
    ['half of it', word(0, 0)],
    ['without a value', word(0, 0, 0)],
    ['of no known kind', end(0, 65, 0, 1)],
    [
      'that only the owner knows',
      end(DIAGNOSTICS[Code.QueueStopped].id, 0, 0, 1),
    ],
    ['of no status', end(2 ** 32 - 1, 0, 0, 1)],
  ])('%s is refused', (_what, body) => {
    refuses(running(), Kind.Done, 7, body);
  });

  test.each([
    Code.JobFailed,
    Code.JobTimeout,
    Code.JobCancelled,
    Code.Crashed,
    Code.StartupFailed,
    Code.ResourceLimit,
    Code.SerializationFailed,
    Code.UnsupportedPayload,
  ])('may be %s', (code) => {
    const { id } = DIAGNOSTICS[code];
    expect(running().read(Kind.Done, 7, end(id, 0, 0, 1)).status).toBe(id);
  });

  test.each([
    ['nothing', undefined, undefined],
    ['a place', 'x'.repeat(1025), 'x'.repeat(1024)],
    ['a value', 5, { opaque: 'error' }],
  ])('has %s of what went wrong', (_what, given, expected) => {
    const { value } = running().read(Kind.Done, 7, done(FAILED, given));
    expect(value).toEqual(expected);
  });
});

describe('a message', () => {
  const says = (talk, seq, ...said) =>
    talk.read(Kind.Message, seq, message(...said));

  test('is whole', () => {
    refuses(running(), Kind.Message, 7, NOTHING);
    refuses(running(), Kind.Message, 7, word(0).subarray(1));
    refuses(running(), Kind.Message, 7, word(0));
  });

  test.each([
    [Channel.Emit, 1],
    [Channel.Host, [0, 'f', []]],
    [Channel.Stream, 1],
    [Channel.StreamEnd, undefined],
    [Channel.Input, 1],
    [Channel.InputEnd, undefined],
  ])('on the channel %i is of the job that runs', (channel, value) => {
    const whole = { kind: Kind.Message, seq: 7, channel, value };
    expect(says(running(), 7, channel, value)).toEqual(whole);
    expect(() => says(running(), 8, channel, value)).toThrow(FrameError);
    expect(() => says(greeted(), 7, channel, value)).toThrow(FrameError);
  });

  test.each([
    Channel.Port,
    Channel.Inspected,
    Channel.Reason,
    Channel.Shares,
    77,
  ])('on the channel %i is for nobody', (channel) => {
    expect(() => says(running(), 7, channel, 1)).toThrow(FrameError);
  });

  test('of no job is of the process, which runs one or none', () => {
    for (const talk of [running(), greeted()]) {
      expect(says(talk, 0, Channel.Emit, 'a')).toMatchObject({
        seq: 0,
        value: 'a',
      });
      for (const channel of [
        Channel.Host,
        Channel.Stream,
        Channel.StreamEnd,
        Channel.Input,
        Channel.InputEnd,
      ]) {
        expect(() => says(talk, 0, channel, [0, 'f', []])).toThrow(
          /message of no job/,
        );
      }
    }
  });

  test.each([Channel.Uncaught, Channel.Rejection])(
    'of what nobody has caught, on %i, is made anew, and may come late',
    (channel) => {
      const given = { type: 'Error', extra: 1 };
      for (const [talk, seq] of [
        [running(), 7],
        [running(), 0],
        [greeted(), 0],
      ]) {
        const { value } = says(talk, seq, channel, given);
        expect(value).toMatchObject({ type: 'Error', mapped: true });
        expect('extra' in value).toBe(false);
      }
      expect(() => says(running(), 8, channel, given)).toThrow(FrameError);
    },
  );
});

describe('what a job may say', () => {
  const call = (talk, seq, id) =>
    talk.read(Kind.Message, seq, message(Channel.Host, [id, 'f', []]));

  test('answers to none leave no more room for calls', () => {
    const talk = running();
    talk.heard(Channel.Host, 0);
    talk.heard(Channel.Host, 0);
    for (let id = 0; id < 64; id += 1) call(talk, 7, id);
    expect(() => call(talk, 7, 64)).toThrow(FrameError);
  });

  test('an answer leaves room for another call', () => {
    const talk = running();
    call(talk, 7, 0);
    talk.heard(Channel.Host, 0);
    for (let id = 1; id <= 64; id += 1) call(talk, 7, id);
    talk.heard(Channel.Host, 0);
    call(talk, 7, 65);
    expect(() => call(talk, 7, 66)).toThrow(FrameError);
  });

  test('other answers leave room for no call, value or wish', () => {
    const talk = running();
    for (let id = 0; id < 64; id += 1) call(talk, 7, id);
    const stream = () => talk.read(Kind.Message, 7, message(Channel.Stream, 1));
    for (let count = 0; count < 16; count += 1) stream();
    const want = () => talk.read(Kind.Message, 7, message(Channel.Input, 1));
    for (let count = 0; count < 16; count += 1) want();
    talk.heard(Channel.Emit, 1);
    talk.heard(Channel.InputEnd, 1);
    talk.heard(Channel.StreamEnd, 1);
    expect(() => call(talk, 7, 64)).toThrow(FrameError);
    expect(stream).toThrow(FrameError);
    expect(want).toThrow(FrameError);
  });

  test('the next job begins anew', () => {
    const talk = running();
    for (let id = 0; id < 64; id += 1) call(talk, 7, id);
    talk.read(Kind.Done, 7, done(0, 1));
    // Nobody waits for that any more.
    talk.heard(Channel.Host, 0);
    talk.begins(8);
    expect(call(talk, 8, 0)).toMatchObject({ seq: 8 });
  });
});

describe('output', () => {
  const heard = () => {
    const talk = running();
    talk.hears();
    return talk;
  };
  const output = (value) => message(Channel.Output, value);

  test.each([1, 2])('comes from the stream %i', (stream) => {
    const value = [stream, 'text'];
    expect(heard().read(Kind.Message, 0, output(value)).value).toEqual(value);
  });

  test.each([
    ['like a list', { 0: 1, 1: 'text', length: 2 }],
    ['of half of it', [1]],
    ['of no stream', [0, 'text']],
    ['of a text in a list', [1, ['text']]],
    ['of nothing', undefined],
  ])('%s is none', (_what, value) => {
    refuses(heard(), Kind.Message, 0, output(value));
  });
});
