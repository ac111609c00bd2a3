'use strict';

const path = require('node:path');

const { QOper8 } = require('../../../lib/qoper8.js');

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

module.exports = { MAIN_EVENTS, fixture, next, pool, record, stopAll };
