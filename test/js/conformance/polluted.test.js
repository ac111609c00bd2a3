'use strict';
// Somebody has polluted Object.prototype. Only own properties are options, of
// ours and of Node's.

const { ALL } = require('../../../lib/options/option-sets.js');
const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');
const {
  createPool,
  moduleFile,
  runtime,
  startWorker,
  stopAll,
} = require('./support.js');

afterEach(stopAll);

// These are options of Node's Worker, and names that one of ours has inside.
const OTHERS = [
  'announceIdle',
  'eval',
  'moduleMs',
  'name',
  'port',
  'stderr',
  'stdin',
  'stdout',
  'nodeOptions',
  'trackUnmanagedFds',
  'transferList',
  'workerData',
];
// Names that payloads, messages and reports of workers have, or lack.
const PARTS = [
  'aheadAt',
  'before',
  'borrows',
  'buffers',
  'canTravel',
  'cancel',
  'clones',
  'entry',
  'leave',
  'mail',
  'more',
  'opaque',
  'over',
  'sealed',
  'seq',
  'shared',
  'slot',
  'spoilt',
];
const NAMES = [...new Set([...ALL, ...OTHERS, ...PARTS])];
const BAD = moduleFile("throw new Error('it has run');", 'bad.cjs');
// One that would have an effect, where it is known.
const VALUES = {
  argv: ['polluted'],
  env: { HELLO: 'polluted' },
  execArgv: ['-r', BAD],
  eval: true,
  host: { polluted() {} },
  init: { module: BAD },
  isolation: 'isolate',
  module: BAD,
  payload: 'clone',
  port: true,
  runtime: 'polluted',
  stderr: true,
  stdin: true,
  stdout: true,
  timeoutMs: 0,
  runTimeoutMs: 0,
  announceIdle: true,
};
const GIVEN = { a: [1, null], b: { c: 'text' } };

async function answers() {
  const pool = createPool();
  const given = await pool.run(({ input }) => input, { input: GIVEN });
  const absent = await pool.run(({ input }) => input);
  const bytes = await pool.run(({ input }) => input, {
    input: new Uint8Array([1, 2, 3]),
  });
  const thrown = await pool
    .run(() => {
      throw new RangeError('mine');
    })
    .catch(({ cause }) => `${cause}`);
  const seen = await pool.run(() =>
    [...process.argv, process.env.HELLO].includes('polluted'),
  );
  await pool.stop();
  const worker = await startWorker('export const twice = (n) => n * 2;');
  const four = await worker.invoke('twice', 2);
  await worker.stop();
  // Processes have none.
  const messages = createMessageWorker({
    ...(runtime === 'process' && { runtime: 'thread' }),
    source: "require('node:worker_threads').parentPort.postMessage('up')",
  });
  const up = await new Promise((resolve) => messages.on('message', resolve));
  await messages.terminate();
  return { given, absent, bytes: [...bytes], thrown, seen, four, up };
}

// Several at a time, because each round starts three workers.
const GROUP = 12;
const groups = Array.from({ length: Math.ceil(NAMES.length / GROUP) }, (_, i) =>
  NAMES.slice(i * GROUP, (i + 1) * GROUP),
);

test.each(groups.map((names) => [names.join(', '), names]))(
  '%s',
  async (_name, names) => {
    for (const name of names) {
      Object.defineProperty(Object.prototype, name, {
        value: VALUES[name] ?? 'polluted',
        configurable: true,
        enumerable: false,
        writable: true,
      });
    }
    try {
      const { given, ...rest } = await answers();
      expect(JSON.stringify(given)).toBe(JSON.stringify(GIVEN));
      expect(rest.absent).toBe(null);
      expect(rest.thrown).toBe('RangeError: mine');
      expect(rest.bytes).toEqual([1, 2, 3]);
      expect([rest.seen, rest.four, rest.up]).toEqual([false, 4, 'up']);
    } finally {
      for (const name of names) delete Object.prototype[name];
    }
  },
);
