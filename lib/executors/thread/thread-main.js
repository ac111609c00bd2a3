'use strict';
// Runs first in the worker threads of a pool with `runtime: 'thread'`.

const { syncBuiltinESMExports } = require('node:module');
const workerThreads = require('node:worker_threads');

const { hideHandles } = require('../owned/hidden-handles.js');
const { keepNewest, lastingMap } = require('../owned/lasting-map.js');
const { startRealm } = require('../owned/realm-main.js');
// Captures what it uses before a job can replace it.
require('../../payload/copy-payload.js');
const { AheadQueue } = require('../owned/ahead-queue.js');
const { AheadWords } = require('../owned/ahead-words.js');
const { guardHeap } = require('./heap-guard.js');
const { Sealing, createCodec, isSealed } = require('./sealing.js');
const { writeDirectly } = require('./std-streams.js');

// Both ports are not parentPort, which belongs to the jobs. The words of `flags`
// are those of ThreadLine.
const { options, initData, flags, ahead, reasons, port, guard } =
  workerThreads.workerData;
const { load, store } = Atomics;
const { receiveMessageOnPort } = workerThreads;
const MOST_REASONS = 64;
const known = lastingMap();

/** @returns {{ seq: number, value: unknown } | undefined} */
function reasonOf(seq) {
  let received = receiveMessageOnPort(reasons);
  while (received !== undefined) {
    known.set(received.message.seq, received.message);
    received = receiveMessageOnPort(reasons);
  }
  // The oldest belong to jobs that never read them.
  keepNewest(known, MOST_REASONS);
  return known.get(seq);
}

// `parentPort` stays, as Node made it: the pool hears what jobs post there, and
// sends nothing.
workerThreads.workerData = null;
syncBuiltinESMExports();
hideHandles(port, reasons);
// Elsewhere a thread has no priority of its own, and the process keeps its.
if (options.nice !== 0 && process.platform === 'linux') {
  require('../owned/priority.js').lowerPriority(options.nice);
}
writeDirectly(guard);
guardHeap(guard, flags, 1);
const sealing = new Sealing();
const post = port.postMessage.bind(port);

// Bytes that were written are posted once, so that they can be moved.
function tell(report, moved) {
  const message = sealing.seal(report);
  post(message, isSealed(message) ? [message.sealed.bytes.buffer] : moved);
}

const realm = startRealm({
  options,
  initData,
  createCodec,
  link: {
    tell,
    threadId: workerThreads.threadId,
    moves: true,
    ahead: new AheadQueue(new AheadWords(ahead)),
    why: () => load(flags, 0),
    reasonOf,
    reach: (state) => store(flags, 2, state),
  },
});
port.on('message', (message) => {
  let opened;
  try {
    opened = sealing.open(message);
  } catch {
    // A job has replaced what reading needs: the owner ends this thread.
    realm.unreadable();
    return;
  }
  realm.receive(opened);
});
port.on('messageerror', realm.unreadable);
