'use strict';

/* global host */
const { since } = require('../lib/versions.js');
const { unsupported } = require('../lib/unsupported.js');

const messaging = require('sw:messaging');

const shared = new Map();
const facts = host.workerThreads ?? {};

const marked = new WeakSet();

// The marks say what may not leave; nothing of them reaches another isolate.
module.exports = {
  BroadcastChannel: unsupported('worker_threads', 'BroadcastChannel'),
  MessageChannel: messaging.MessageChannel,
  MessagePort: messaging.MessagePort,
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  Worker: unsupported('worker_threads', 'Worker'),
  getEnvironmentData: (key) => shared.get(key),
  isInternalThread: false,
  isMainThread: false,
  markAsUncloneable() {},
  markAsUntransferable(object) {
    if (Object(object) === object) marked.add(object);
  },
  moveMessagePortToContext: unsupported(
    'worker_threads',
    'moveMessagePortToContext',
  ),
  parentPort: facts.parentPort ?? null,
  postMessageToThread: unsupported('worker_threads', 'postMessageToThread'),
  receiveMessageOnPort: messaging.receiveMessage,
  resourceLimits: facts.resourceLimits ?? {},
  setEnvironmentData(key, value) {
    if (value === undefined) shared.delete(key);
    else shared.set(key, value);
  },
  threadId: facts.threadId ?? 1,
  threadName: facts.threadName ?? '',
  workerData: facts.workerData ?? null,
};
if (since(21)) {
  module.exports.isMarkedAsUntransferable = (object) => marked.has(object);
}
