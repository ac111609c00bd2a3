'use strict';

const path = require('node:path');

const { QOper8 } = require('../../../lib/adapters/qoper8.js');

const fixture = (name) => path.join(__dirname, 'fixtures', name);

const running = [];

/** A QOper8 with text and module handlers by type; stopped after the test. */
function pool(handlers = {}, options = {}) {
  const qoper8 = new QOper8({
    handlersByMessageType: new Map(Object.entries(handlers)),
    ...options,
  });
  running.push(qoper8);
  return qoper8;
}

async function stopAll() {
  await Promise.all(running.splice(0).map((qoper8) => qoper8.stop()));
  jest.restoreAllMocks();
}

/** The next emission of one of QOper8's single-listener events. */
function next(qoper8, type) {
  return new Promise((resolve) => {
    qoper8.on(type, (data) => {
      qoper8.off(type);
      resolve(data);
    });
  });
}

/** Records the named events with their data, in order. */
function record(qoper8, ...types) {
  const seen = [];
  for (const type of types) qoper8.on(type, (data) => seen.push([type, data]));
  return seen;
}

/**
 * Takes the pool's timers of these delays in hand until the test is over: they
 * fire when it says so, and not before.
 *
 * @returns {{ count(ms: number): number, fire(ms: number): void }} how many
 *   were set with this delay, and a call of the last one
 */
function holdTimers(...delays) {
  const { setTimeout } = globalThis;
  const held = new Map(delays.map((ms) => [ms, []]));
  const hold = (fn, ms, ...args) => {
    if (!held.has(ms)) return setTimeout(fn, ms, ...args);
    held.get(ms).push(fn);
    // The caller may clear it.
    return setTimeout(() => {}, 2 ** 31 - 1).unref();
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(hold);
  return {
    count: (ms) => held.get(ms).length,
    fire: (ms) => held.get(ms).at(-1)(),
  };
}

const MAIN_EVENTS = [
  'QBackupAdd',
  'addedToQueue',
  'workerStarted',
  'replyReceived',
  'sentToWorker',
  'QBackupDelete',
  'workerStopped',
  'threadExit',
  'stop',
  'start',
];

module.exports = {
  MAIN_EVENTS,
  fixture,
  holdTimers,
  next,
  pool,
  record,
  stopAll,
};
