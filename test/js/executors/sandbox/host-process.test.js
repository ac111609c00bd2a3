'use strict';
// The start of a sandbox's process, and the shared values that it is sent.

const { existsSync, mkdtempSync, rmSync, symlinkSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { describeHere } = require('./support.js');
const { binaryFile } = require('../../../../lib/addon/load.js');
const { append, bareList } = require('../../../../lib/base/bare.js');
const {
  SandboxLine,
} = require('../../../../lib/executors/sandbox/sandbox-line.js');
const {
  SandboxShares,
} = require('../../../../lib/executors/sandbox/sandbox-shares.js');
const { packPayload } = require('../../../../lib/wire/payload-bytes.js');

const MIB = 2 ** 20;

describeHere('a start', () => {
  const {
    hostProcess,
  } = require('../../../../lib/executors/sandbox/host-process.js');

  test.each([
    [false, 3, 70],
    [true, 3, 134],
    [false, 1000, 2064],
  ])('with jit %p, and a heap of %i MiB', (jit, memoryLimitMb, dataMb) => {
    const [file, args, options] = hostProcess({
      memoryLimitMb,
      sandbox: { jit },
    });
    expect(file).toBe(process.execPath);
    const [mark, ...pairs] = args;
    expect(mark).toBe('--sloppy-sandbox-host');
    const values = {};
    for (let at = 0; at < pairs.length; at += 2) {
      values[pairs[at]] = pairs[at + 1];
    }
    expect(values).toEqual({
      memory: String(memoryLimitMb * MIB),
      data: String(dataMb * MIB),
      jit: jit ? '1' : '0',
      owner: String(process.pid),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    expect(options).toEqual({
      cwd: '/',
      env: { LD_PRELOAD: binaryFile() },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    });
  });

  test('where the addon has a name that the loader would cut', () => {
    const before = process.env.SLOPPY_WORKERS_BINARY;
    const folder = mkdtempSync(path.join(tmpdir(), 'a name:'));
    const named = path.join(folder, 'addon.node');
    symlinkSync(binaryFile(), named);
    process.env.SLOPPY_WORKERS_BINARY = named;
    try {
      jest.isolateModules(() => {
        const its = require('../../../../lib/executors/sandbox/host-process.js');
        const preload = () => {
          const settings = { memoryLimitMb: 1, sandbox: { jit: false } };
          return its.hostProcess(settings)[2].env.LD_PRELOAD;
        };
        const first = preload();
        expect(first).toMatch(/^\/proc\/\d+\/fd\/\d+$/);
        expect(existsSync(first)).toBe(true);
        // The descriptor stays, for all of them.
        expect(preload()).toBe(first);
      });
    } finally {
      if (before === undefined) delete process.env.SLOPPY_WORKERS_BINARY;
      else process.env.SLOPPY_WORKERS_BINARY = before;
      rmSync(folder, { recursive: true });
    }
  });
});

test('memory is shared with no process', () => {
  expect(SandboxLine.sharesMemory).toBe(false);
});

describe('shared values', () => {
  const text = (value) => ({ kind: 5, number: 0, text: value });
  const table = (number, ...versions) => ({
    number,
    versions: new Map(
      versions.map((each) => [`name ${each}`, { number: each }]),
    ),
  });
  const numbers = (sent) => sent.parts.map(({ number }) => number);

  test('come with the first job that sees them, once to each process', () => {
    const encoder = {};
    const shares = new SandboxShares(encoder);
    expect([shares.encoder, shares.taken]).toEqual([encoder, 0]);
    for (const number of [1, 2, 3]) shares.hold(number, text(`v${number}`));
    const [one, other] = [{}, {}];
    expect(shares.sendTo(one, null)).toBeUndefined();
    const first = shares.sendTo(one, table(1, 2));
    expect(first.number).toBe(1);
    expect(numbers(first)).toEqual([1, 2]);
    expect(first.parts[1].packed).toEqual(packPayload(text('v2')));
    expect(numbers(shares.sendTo(one, table(1, 2, 3)))).toEqual([3]);
    expect(shares.sendTo(one, table(1, 2, 3))).toEqual({
      number: 1,
      gone: [],
      parts: [],
    });
    expect(numbers(shares.sendTo(other, table(1, 3)))).toEqual([1, 3]);
  });

  test('that have gone are told so, once', () => {
    const shares = new SandboxShares({});
    for (const number of [1, 2, 3]) shares.hold(number, text('v'));
    const worker = {};
    shares.sendTo(worker, table(1, 2, 3));
    const dropped = bareList();
    append(dropped, 2);
    shares.drop(dropped);
    expect(shares.sendTo(worker, table(1, 2, 3))).toEqual({
      number: 1,
      gone: [2],
      parts: [],
    });
    expect(shares.sendTo(worker, table(1)).gone).toEqual([]);
    shares.clear();
    expect(shares.sendTo(worker, table(1)).gone).toEqual([1, 3]);
    shares.hold(1, text('again'));
    expect(numbers(shares.sendTo(worker, table(1)))).toEqual([1]);
  });
});
