'use strict';

// The worker's side of a message worker: its port as an emitter of events, and
// its end by itself.

const {
  createMessageWorker,
} = require('../../../lib/message-worker/message-worker.js');

const running = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.terminate()));
});

/** A worker, and all that it says up to its end. */
function start(body) {
  const worker = createMessageWorker({
    source: `const { parentPort } = require('node:worker_threads');\n${body}`,
  });
  running.push(worker);
  const said = [];
  worker.on('message', (value) => said.push(value));
  const ended = new Promise((resolve) =>
    worker.once('exit', (code) => resolve({ code, said })),
  );
  return { worker, ended };
}

test('listeners are counted, named, called and removed', async () => {
  const { ended } = start(`
    const listener = () => {};
    parentPort.setMaxListeners(0);
    parentPort.on('message', listener).once('message', () => {});
    parentPort.on('mine', (value) => parentPort.postMessage(value));
    // Node's own has listeners of its own.
    const names = () =>
      parentPort.eventNames().filter((type) => type.startsWith('m'));
    const counts = () =>
      ['message', 'mine', 'none'].map((type) => parentPort.listenerCount(type));
    parentPort.postMessage([counts(), names()]);
    parentPort.postMessage([
      parentPort.emit('mine', 'called'), parentPort.emit('none'),
    ]);
    parentPort.off('message', listener);
    parentPort.postMessage(counts());
    const same = parentPort.removeAllListeners('message') === parentPort;
    parentPort.postMessage([same, counts()]);
    parentPort.removeAllListeners();
    parentPort.postMessage([counts(), names()]);
    parentPort.close();`);
  expect(await ended).toEqual({
    code: 0,
    said: [
      [
        [2, 1, 0],
        ['message', 'mine'],
      ],
      'called',
      [true, false],
      [1, 1, 0],
      [true, [0, 1, 0]],
      [[0, 0, 0], []],
    ],
  });
});

test('without listeners the port still holds its worker', async () => {
  const { worker, ended } = start(`
    parentPort.on('message', (value) => {
      parentPort.removeAllListeners('message');
      parentPort.once('message', (value) => {
        parentPort.postMessage(value);
        parentPort.unref();
      });
    });`);
  worker.postMessage('first');
  worker.postMessage('second');
  expect(await ended).toEqual({ code: 0, said: ['second'] });
});

test("the end by itself is told to the process's listeners", async () => {
  const { ended } = start(`
    process.on('exit', (code) => parentPort.postMessage(['exit', code]));
    process.exitCode = 3;`);
  expect(await ended).toEqual({ code: 3, said: [['exit', 3]] });
});

test('who closes the port is told as well', async () => {
  const { worker, ended } = start(`
    process.once('exit', () => { process.exitCode = 5; });
    parentPort.on('message', () => parentPort.close());`);
  worker.postMessage(1);
  expect(await ended).toEqual({ code: 5, said: [] });
});

test('process.exit() in a listener of the exit', async () => {
  const { ended } = start(`
    let calls = 0;
    process.on('exit', (code) => {
      parentPort.postMessage([++calls, code]);
      process.exit(6);
    });
    process.exit(4);`);
  expect(await ended).toEqual({ code: 6, said: [[1, 4]] });
});
