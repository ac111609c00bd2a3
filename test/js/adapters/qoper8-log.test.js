'use strict';

// Every line of qoper8-wt's is there with `logging: true`; it runs beside.

const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { run } = require('./documented.js');

const ROOT = path.resolve(__dirname, '../../..');
const ORIGINAL = 'node_modules/qoper8-wt/src/QOper8.mjs';
const SOURCES = {
  original: pathToFileURL(path.join(ROOT, ORIGINAL)).href,
  ours: 'sloppy-workers/qoper8',
};

const program = (source) => `
  import { QOper8 } from '${source}';
  const failing = () => { throw new Error('full'); };
  const answer = 'finished({ data: message.data })';
  const qoper8 = new QOper8({
    logging: true,
    QBackup: { add: failing, delete: failing },
    handlersByMessageType: new Map([
      ['echo', { text: answer }],
      ['slow', { text: \`setTimeout(() => { \${answer} }, 300)\` }],
      ['bad', { text: 'y' }],
      ['lost', { module: '/nowhere/handler.mjs' }],
    ]),
  });
  const stopped = new Promise((resolve) => qoper8.on('workerStopped', resolve));
  await qoper8.send({ type: 'echo', data: 1 });
  await qoper8.send({ type: 'unknown' });
  await qoper8.send({});
  await qoper8.send({ type: 'lost' });
  await qoper8.send({ type: 'bad' });
  await stopped;
  const sent = qoper8.send({ type: 'slow', data: 2 });
  qoper8.on('sentToWorker', async () => {
    qoper8.off('sentToWorker');
    await qoper8.getStats();
    await sent;
    const last = qoper8.send({ type: 'slow', data: 3 });
    await qoper8.stop();
    await last;
    qoper8.start();
    qoper8.logging = false;
    qoper8.log('unheard');
  });`;

// An uptime, a place in memory, a stack: another one each time.
function normalised(line) {
  return line
    .replace(/^\d{13}: /, '')
    .replace(/process \d+$/, 'process')
    .replace(/^\{"stack".*/, 'caughtError')
    .replace(/"caughtError": .*/, '"caughtError"')
    .replace(/"(rss|heapTotal|heapUsed|uptime|threadId)": [^,]*/, '"$1"');
}

// The original looks at its queue once more for each worker that ended, and
// says then how it ended.
const NOISE = /^(try processing|no available|Queue empty|.* with exitCode)/;

function countsOf({ lines }) {
  const counts = new Map();
  for (const line of lines.map(normalised)) {
    if (!NOISE.test(line)) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

test('nothing of the log is missing', async () => {
  const [theirs, ours] = await Promise.all(
    Object.values(SOURCES).map((source) =>
      run({ 'main.mjs': program(source) }),
    ),
  );
  expect(theirs).toMatchObject({ code: 0, stderr: '' });
  expect(ours).toMatchObject({ code: 0, stderr: '' });
  const counts = countsOf(ours);
  // A thread of the original's may end before its last lines are out.
  const missing = [...countsOf(theirs)].filter(
    ([line, count]) => !(counts.get(line) >= count),
  );
  expect(missing).toEqual([]);
  expect(counts.get('Message received by worker 1: {')).toBe(4);
});
