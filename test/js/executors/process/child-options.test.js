'use strict';
// How a process of a pool is started, and what its end means.

const {
  OVER_LIMIT,
  causeOf,
  isOverLimit,
} = require('../../../../lib/executors/process/child-end.js');
const {
  childOptions,
} = require('../../../../lib/executors/process/child-options.js');

const optionsOf = (nodeOptions, memoryLimitMb = 64) =>
  childOptions('main.js', { memoryLimitMb, nodeOptions });

/** Node's flags of a process whose owner has these. */
function inherited(...execArgv) {
  const own = process.execArgv;
  process.execArgv = execArgv;
  try {
    const [, args] = optionsOf({});
    expect(args.slice(-2)).toEqual(['--max-old-space-size=64', 'main.js']);
    return args.slice(0, -2);
  } finally {
    process.execArgv = own;
  }
}

test.each([
  [['-e', 'text'], []],
  [['--eval', 'text'], []],
  [['--eval=text'], []],
  [['-p', 'text'], []],
  [['--print', 'text'], []],
  [['--print=text'], []],
  [['-pe', 'text'], []],
  [['-p', '-e', 'text'], []],
  [['--print', '--eval', 'text'], []],
  [['-p', '--expose-gc'], ['--expose-gc']],
  [['-e', 'text', '--expose-gc'], ['--expose-gc']],
  [['-i'], []],
  [['-c'], []],
  [['--inspect'], []],
  [['--inspect-brk=0', '--expose-gc'], ['--expose-gc']],
  [['--inspect-port', '0', '--expose-gc'], ['--expose-gc']],
  [['--watch'], []],
  [
    ['--watch-path', 'src', '-r', 'a.js'],
    ['-r', 'a.js'],
  ],
  [
    ['--watch', '--title', 'ours'],
    ['--title', 'ours'],
  ],
  [['--test', '--check', '--interactive'], []],
  [
    ['-r', 'a.js', '--no-warnings'],
    ['-r', 'a.js', '--no-warnings'],
  ],
])('of node %p a process has %p', (given, expected) => {
  expect(inherited(...given)).toEqual(expected);
});

test('the options of a pool', () => {
  const env = { A: 'a' };
  const [file, args, more] = optionsOf(
    { argv: ['x'], cwd: '/', env, execArgv: ['-e', 'own'], stdio: 'ignore' },
    128,
  );
  expect(file).toBe(process.execPath);
  // Flags that somebody asks for are not looked at.
  expect(args).toEqual([
    '-e',
    'own',
    '--max-old-space-size=128',
    'main.js',
    'x',
  ]);
  expect(more).toEqual({
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  expect(more.env).toBe(env);
});

test('without them', () => {
  const [, , { cwd, env, stdio }] = optionsOf({});
  expect(cwd).toBeUndefined();
  expect(env).toBe(process.env);
  expect(stdio.slice(0, 3)).toEqual(['ignore', 'inherit', 'inherit']);
  const [, , piped] = optionsOf({ stdio: () => {} });
  expect(piped.stdio.slice(0, 3)).toEqual(['ignore', 'pipe', 'pipe']);
});

describe('the end of a process', () => {
  const ended = (code, signal = null) => ({ code, signal });

  test('over its limit', () => {
    expect(isOverLimit(ended(OVER_LIMIT))).toBe(true);
    expect(isOverLimit(ended(OVER_LIMIT + 1))).toBe(false);
    expect(isOverLimit(ended(null, 'SIGKILL'))).toBe(false);
    expect(isOverLimit(null)).toBe(false);
  });

  test.each([
    [ended(3), undefined, 'process.exit(3) was called in a worker'],
    [ended(null, 'SIGTERM'), undefined, 'the process was ended by SIGTERM'],
    [
      ended(null, 'SIGKILL'),
      new Error('a frame'),
      'the process has sent a frame',
    ],
  ])('%p has the cause', (end, broken, message) => {
    expect(causeOf(end, broken, '')).toEqual({
      type: 'Error',
      name: 'Error',
      message,
      stack: `Error: ${message}`,
      props: { signal: end.signal, exitCode: end.code },
    });
  });

  test('by the system', () => {
    const { message, props } = causeOf(
      ended(null, 'SIGKILL'),
      undefined,
      'last',
    );
    expect(message).toMatch(
      /SIGKILL, which the pool has not sent.*no memory left$/,
    );
    expect(props.stderr).toBe('last');
  });

  test('that nobody has seen', () => {
    expect(causeOf(null, undefined, '')).toEqual({
      type: 'Error',
      name: 'Error',
      message: 'the process does not end',
      props: {},
    });
  });

  test('of a kind that knows its codes', () => {
    const exitText = (code) => `code ${code} of ours`;
    const { message } = causeOf(ended(5), undefined, '', exitText);
    expect(message).toBe('code 5 of ours');
  });
});

describe('pauses between starts', () => {
  let time = 1000;
  let StartPauses;
  beforeAll(() => {
    jest.resetModules();
    jest.doMock('../../../../lib/base/own-time.js', () => ({
      now: () => time,
    }));
    ({
      StartPauses,
    } = require('../../../../lib/executors/process/start-pauses.js'));
    jest.dontMock('../../../../lib/base/own-time.js');
  });

  test('begin with the third failure in a row, and double', () => {
    const pauses = new StartPauses();
    const [first, later] = [new Error('first'), new Error('later')];
    pauses.failed(first);
    expect(pauses.cause).toBeUndefined();
    pauses.failed(later);
    expect(pauses.cause).toBeUndefined();
    for (const ms of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      pauses.failed(later);
      expect(pauses.cause).toBe(first);
      time += ms - 1;
      expect(pauses.cause).toBe(first);
      time += 1;
      expect(pauses.cause).toBeUndefined();
    }
  });

  test('end with a success', () => {
    const pauses = new StartPauses();
    for (let n = 0; n < 5; n += 1) pauses.failed(new Error('old'));
    pauses.succeeded();
    expect(pauses.cause).toBeUndefined();
    const fresh = new Error('new');
    pauses.failed(fresh);
    pauses.failed(new Error('newer'));
    expect(pauses.cause).toBeUndefined();
    pauses.failed(new Error('newest'));
    expect(pauses.cause).toBe(fresh);
  });
});
