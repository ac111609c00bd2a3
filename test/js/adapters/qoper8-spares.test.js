'use strict';

// Isolates that are up before there is a message: nobody may notice them.

const { EventEmitter } = require('node:events');
const { availableParallelism } = require('node:os');

const mockMade = [];

class MockWorker extends EventEmitter {
  calls = [];
  ref = () => this.calls.push('ref');
  unref = () => this.calls.push('unref');
  terminate = () => this.calls.push('terminate');
}

jest.mock('../../../lib/message-worker/message-worker.js', () => ({
  createMessageWorker: (settings, onMessage) => {
    const worker = Object.assign(new MockWorker(), { settings, onMessage });
    mockMade.push(worker);
    return worker;
  },
}));

const {
  SpareWorkers,
} = require('../../../lib/adapters/qoper8/spare-workers.js');

const ISOLATE = { runtime: 'isolate' };
const sparesOf = (poolSize, settings = ISOLATE) =>
  new SpareWorkers(settings, { poolSize, limitMs: Infinity });

beforeEach(() => {
  mockMade.length = 0;
});

test('at most one for each core, and none that holds the process', () => {
  const spares = sparesOf(1000);
  expect(mockMade).toHaveLength(availableParallelism());
  for (const { calls } of mockMade) expect(calls).toEqual(['unref']);
  spares.end();
});

test('threads of Node start when they are needed', () => {
  const spares = sparesOf(2, { runtime: 'thread' });
  expect(mockMade).toHaveLength(0);
  spares.take();
  expect(mockMade).toHaveLength(1);
});

test('one is taken once, holds the process then, and speaks to its taker', () => {
  const spares = sparesOf(1);
  const spare = spares.take();
  expect(spare.worker).toBe(mockMade[0]);
  expect(spare.worker.calls).toEqual(['unref', 'ref']);
  const heard = [];
  spare.receive = (data) => heard.push(data);
  spare.worker.onMessage('hello');
  expect(heard).toEqual(['hello']);
  expect(spares.take().worker).toBe(mockMade[1]);
});

test('one that ended by itself is not given away', () => {
  const spares = sparesOf(1);
  mockMade[0].emit('exit', 1);
  expect(spares.take().worker).toBe(mockMade[1]);
});

test('end() ends those that nobody took', () => {
  const spares = sparesOf(Math.min(2, availableParallelism()));
  const { worker } = spares.take();
  spares.end();
  for (const made of mockMade) {
    expect(made.calls.includes('terminate')).toBe(made !== worker);
  }
});

test('so does the limit of idle workers', async () => {
  new SpareWorkers(ISOLATE, { poolSize: 1, limitMs: 1 });
  await new Promise((resolve) => {
    mockMade[0].terminate = resolve;
  });
});
