'use strict';
// The start of a process: what it leaves open, and why there is none.

const { once } = require('node:events');
const fs = require('node:fs');

const { openFiles, testOnLinux } = require('./support.js');

const adopted = [];
jest.mock('../../../../lib/executors/process/adopted-children.js', () => ({
  adopt: (pid) => mockAdopt(pid),
}));
const mockAdopt = (pid) => adopted.push(pid);

const START = '../../../../lib/executors/process/start-child.js';
const { startChild } = require(START);

const STDIO = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'];
const SAYS = "require('node:fs').writeSync(3, 'said')";

const how = (more) => [
  process.execPath,
  ['-e', SAYS],
  { env: process.env, stdio: STDIO, ...more },
];

/** @returns {Promise<string>} what a process says before its end */
async function wordsOf(start, watchAt) {
  let said = '';
  const hear = (chunk) => {
    said += chunk;
  };
  const { child, socket } = start(how(), hear, watchAt);
  expect(adopted.at(-1)).toBe(child.pid);
  await Promise.all([once(child, 'close'), once(socket, 'close')]);
  return said;
}

test.each([
  ['that nobody has to end', undefined],
  ['that ends with its owner', 4],
])('a process %s says what it says', async (_which, watchAt) => {
  expect(await wordsOf(startChild, watchAt)).toBe('said');
});

testOnLinux('what tells of its owner’s end is no pipe of Node’s', async () => {
  const watches = [4, undefined].map((watchAt) => {
    const { child } = startChild(how(), () => {}, watchAt);
    return { child, pipe: child.stdio[4] };
  });
  expect(watches.map(({ pipe }) => pipe === null)).toEqual([true, false]);
  await Promise.all(watches.map(({ child }) => once(child, 'close')));
});

testOnLinux('it leaves nothing open', async () => {
  await wordsOf(startChild, 4);
  const before = openFiles();
  await wordsOf(startChild, 4);
  while (openFiles() > before) await new Promise(setImmediate);
});

test.each([
  ['no such file', ['/none/such', [], { stdio: STDIO }], 'started no process'],
  ['no such folder', how({ cwd: '/none/such' }), 'cwd does not exist'],
])('%s: there is none', (_why, given, message) => {
  const count = adopted.length;
  expect(() => startChild(given, () => {}, 4)).toThrow(message);
  expect(adopted).toHaveLength(count);
});

describe('where files cannot be opened', () => {
  const open = new Set();
  let opened = 0;

  /** A start where so many files can be opened, and why no more. */
  function startWith(most, code) {
    let start;
    jest.isolateModules(() => {
      jest.doMock('node:fs', () => ({
        ...fs,
        openSync() {
          if (open.size === most) throw Object.assign(new Error(), { code });
          opened += 1;
          open.add(1000 + open.size);
          return 999 + open.size;
        },
        closeSync: (file) => open.delete(file) || fs.closeSync(file),
      }));
      start = require(START).startChild;
      jest.dontMock('node:fs');
    });
    return start;
  }

  const onPosix = process.platform === 'win32' ? test.skip : test;

  onPosix.each(['EMFILE', 'ENFILE'])('%s: none is started', (code) => {
    const start = startWith(3, code);
    expect(() => start(how(), () => {}, 4)).toThrow('started no process');
    expect(open.size).toBe(0);
  });

  // Each pipe has two ends, and so has one by which libuv hears of the start.
  onPosix.each([1, 2, 5])('it looks for those of %i pipes', async (pipes) => {
    const start = startWith(Infinity);
    opened = 0;
    const stdio = ['ignore', 'ignore', 'ignore', ...Array(pipes).fill('pipe')];
    const { child } = start(how({ stdio }), () => {});
    expect(opened).toBeGreaterThanOrEqual(2 * pipes + 2);
    expect(open.size).toBe(0);
    await once(child, 'close');
  });

  onPosix('for another reason one is', async () => {
    const start = startWith(0, 'ERR_ACCESS_DENIED');
    expect(await wordsOf(start, 4)).toBe('said');
  });
});
