'use strict';
// A process may say these words, at these times: all else is a FrameError.

const { Channel } = require('../../../../lib/protocol/wire.gen.js');
const { Kind } = require('../../../../lib/executors/sandbox/kinds.js');
const {
  FrameError,
  FrameReader,
  headerOf,
} = require('../../../../lib/wire/frames.js');
const { Random } = require('../../../sim-js/random.js');
const { HELLO, done, fresh, greeted, message, running } = require('./said.js');

test('a job that runs, and its end', () => {
  const talk = running();
  const said = talk.read(Kind.Message, 7, message(Channel.Emit, { a: 1 }));
  expect(said).toMatchObject({ seq: 7, value: { a: 1 } });
  const end = talk.read(Kind.Done, 7, done(0, [1, 'two']));
  expect(end).toMatchObject({ seq: 7, status: 0, value: [1, 'two'] });
  expect(() => talk.read(Kind.Done, 7, done(0, 1))).toThrow(FrameError);
});

test('nothing comes before the greeting', () => {
  for (const kind of Object.values(Kind)) {
    const talk = fresh();
    if (kind === Kind.Hello) continue;
    expect(() => talk.read(kind, 0, HELLO)).toThrow(FrameError);
  }
});

test.each([
  ['a greeting', Kind.Hello, 256],
  ['a question', Kind.File, 4096 + 8],
  ['code that nobody has asked for', Kind.CodeMade, 0],
  ['a word without a body', Kind.Ready, 0],
  ['a kind for the process', Kind.Start, 0],
  ['an end', Kind.Done, 3 * 2 ** 20],
  ['a message', Kind.Message, 3 * 2 ** 20],
  ['the end of a start', Kind.Failed, 3 * 2 ** 20],
])('the longest body of %s', (_, kind, most) => {
  const talk = fresh();
  const read = (length) =>
    new FrameReader(
      () => {},
      (of) => talk.limitOf(of),
    ).push(headerOf(kind, 0, length));
  expect(() => read(most + 1)).toThrow('a frame too long');
  // No body has come, or none is.
  if (most > 0) expect(() => read(most)).not.toThrow();
});

test('a host has 64 calls under way, each once', () => {
  const talk = running();
  const call = (id) =>
    talk.read(Kind.Message, 7, message(Channel.Host, [id, 'f', []]));
  for (let id = 1; id <= 64; id += 1) call(id);
  expect(() => call(65)).toThrow(FrameError);
  const other = running();
  other.read(Kind.Message, 7, message(Channel.Host, [5, 'f', []]));
  expect(() =>
    other.read(Kind.Message, 7, message(Channel.Host, [5, 'f', []])),
  ).toThrow(/second time/);
});

test.each([
  ['of a name', [0, 'f', []], true],
  ['of the longest', [0, 'f'.repeat(1024), []], true],
  ['of a longer one', [0, 'f'.repeat(1025), []], false],
  ['with many values', [0, 'f', new Array(2000).fill(1)], true],
  ['with a name that is none', [0, 5, []], false],
  ['with a name that is a list', [0, ['f'], []], false],
  ['with values that are no list', [0, 'f', 'text'], false],
  ['with a number that is none', ['0', 'f', []], false],
  ['with half a number', [0.5, 'f', []], false],
  ['with a number below 0', [-1, 'f', []], false],
  ['with too little', [0, 'f'], false],
  ['with more', [0, 'f', [], 1], false],
  ['that is no list', { 0: 0, 1: 'f', 2: [], length: 3 }, false],
])('a call of a host %s', (_, call, isFine) => {
  const say = () =>
    running().read(Kind.Message, 7, message(Channel.Host, call));
  if (isFine) expect(say).not.toThrow();
  else expect(say).toThrow(FrameError);
});

test('10 000 calls are answered, and no more', () => {
  const talk = running();
  const call = (id) => {
    talk.read(Kind.Message, 7, message(Channel.Host, [id, 'f', []]));
    talk.heard(Channel.Host, 0);
  };
  for (let id = 1; id <= 10_000; id += 1) call(id);
  expect(() => call(10_001)).toThrow(/too many calls/);
});

test('a stream has as many values as it was given room for', () => {
  const talk = running();
  const next = () => talk.read(Kind.Message, 7, message(Channel.Stream, 1));
  for (let i = 0; i < 16; i += 1) next();
  talk.heard(Channel.Stream, 2);
  next();
  next();
  expect(next).toThrow(FrameError);
});

test('of an input so many values are asked for, and more when some came', () => {
  const talk = running();
  const want = (count) =>
    talk.read(Kind.Message, 7, message(Channel.Input, count));
  want(10);
  want(6);
  talk.heard(Channel.Input, 0);
  talk.heard(Channel.Input, 0);
  want(2);
  expect(() => want(1)).toThrow(/wish for too much/);
});

test.each([0, -1, 0.5, '1', null, [1]])('a wish for %p values', (count) => {
  const want = () =>
    running().read(Kind.Message, 7, message(Channel.Input, count));
  expect(want).toThrow(/wish for no number/);
});

test('an error is made of what it may consist of', () => {
  const given = {
    type: 'RangeError',
    message: 5,
    stack: 'x'.repeat(100_000),
    props: { code: 'E', ['__proto__']: { a: 1 } },
    cause: { type: 'Error', cause: { cause: 1 } },
    errors: new Array(1000).fill({ type: 'Error' }),
  };
  const { value } = running().read(Kind.Done, 7, done(6, given));
  expect(value).toMatchObject({ type: 'RangeError', mapped: true });
  expect(value.message).toBeUndefined();
  expect(value.stack).toHaveLength(65_536);
  expect(value.errors).toHaveLength(64);
});

test('a result has a length that it may have', () => {
  const talk = running();
  expect(talk.limitOf(Kind.Done)).toBeLessThan(4 * 2 ** 20);
  expect(talk.limitOf(Kind.Ready)).toBe(0);
  expect(talk.limitOf(99)).toBe(0);
});

test('random words end as something it may say, or as a FrameError', () => {
  const random = new Random(11);
  const kinds = [...Object.values(Kind), 0, 99, 255];
  const bodies = [
    Buffer.alloc(0),
    HELLO,
    done(0, { a: [1, 2] }),
    done(6, { type: 'Error', message: 'x' }),
    message(Channel.Emit, 'text'),
    message(Channel.Host, [1, 'f', [2]]),
    message(Channel.Input, 3),
  ];
  for (let i = 0; i < 20_000; i += 1) {
    const talk = random.chance(80) ? running() : fresh();
    for (let left = random.below(4); left >= 0; left -= 1) {
      const body = Buffer.from(random.of(bodies));
      if (body.length > 0 && random.chance(50)) {
        body[random.below(body.length)] = random.below(256);
      }
      try {
        talk.read(random.of(kinds), random.of([0, 6, 7, 8, 2 ** 32 - 1]), body);
      } catch (error) {
        if (!(error instanceof FrameError)) throw error;
      }
    }
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe('the code of its runtime', () => {
  const code = Buffer.alloc(1000);
  const tells = (each, body) => each.read(Kind.CodeMade, 3, body);

  test('is read when it was asked for, to its end', () => {
    const one = greeted();
    expect(one.limitOf(Kind.CodeMade)).toBe(0);
    expect(() => tells(one, code)).toThrow(FrameError);
    const asked = greeted();
    asked.asksCode();
    const { number, body, isLast } = tells(asked, code);
    expect([number, body, isLast]).toEqual([3, code, false]);
    expect(tells(asked, Buffer.alloc(0)).isLast).toBe(true);
    expect(() => tells(asked, code)).toThrow(FrameError);
  });

  test('is believed only before anything else is said', () => {
    const one = greeted();
    one.asksCode();
    one.loads();
    one.read(Kind.Loaded, 1, Buffer.alloc(0));
    expect(one.limitOf(Kind.CodeMade)).toBe(0);
    expect(() => tells(one, code)).toThrow(FrameError);
  });

  test('has a length that all of it may have', () => {
    const one = greeted();
    one.asksCode();
    const most = one.limitOf(Kind.CodeMade);
    tells(one, code);
    expect(one.limitOf(Kind.CodeMade)).toBe(most - 1000);
  });
});

describe('output', () => {
  const output = (value) => message(Channel.Output, value);

  test('is read once it is heard', () => {
    const talk = running();
    talk.hears();
    const said = talk.read(Kind.Message, 0, output([2, 'text']));
    expect(said).toMatchObject({
      seq: 0,
      channel: Channel.Output,
      value: [2, 'text'],
    });
  });

  test('that nobody has asked for is refused', () => {
    const talk = running();
    expect(() => talk.read(Kind.Message, 0, output([1, 'text']))).toThrow(
      FrameError,
    );
  });

  test.each([
    ['a text alone', 'text', 0],
    ['another stream', [3, 'text'], 0],
    ['no text', [1, { a: 1 }], 0],
    ['more than a text', [1, 'a', 'b'], 0],
    ['of a job', [1, 'text'], 7],
  ])('%s is refused', (_what, value, seq) => {
    const talk = running();
    talk.hears();
    expect(() => talk.read(Kind.Message, seq, output(value))).toThrow(
      FrameError,
    );
  });
});
