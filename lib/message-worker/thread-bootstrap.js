'use strict';

// Runs first in a worker thread: loads the user's module, then reports that it
// is up, because Node's own `online` comes before the module is found.

const { parentPort } = require('node:worker_threads');
const { fileURLToPath } = require('node:url');

const { guardHeap } = require('../executors/thread/heap-guard.js');
const { writeDirectly } = require('../executors/thread/std-streams.js');
const { importModule } = require('../executors/owned/typescript.js');

const ONLINE = 'sloppy-workers/online';
const [url, guard] = process.argv.splice(2, 2);
if (url.startsWith('file:')) process.argv[1] = fileURLToPath(url);

const words = new Int32Array(new SharedArrayBuffer(4));
parentPort.postMessage(words);
guardHeap(guard, words, 0);
writeDirectly(guard);

// The web's names for the port, as in an isolate.
const define = (name, value) =>
  Object.defineProperty(globalThis, name, {
    configurable: true,
    writable: true,
    value,
  });

define('postMessage', (value, transfer) =>
  parentPort.postMessage(value, transfer),
);
define('close', () => parentPort.close());
Object.defineProperty(globalThis, 'onmessage', {
  configurable: true,
  get: () => parentPort.onmessage,
  set: (listener) => {
    parentPort.onmessage = listener;
  },
});

let reported = false;
const online = () => {
  if (reported) return;
  reported = true;
  parentPort.postMessage(ONLINE);
};

// A module that awaits its first message at top level counts as up; the timer
// can only fire once it has returned to the event loop.
setTimeout(online, 1000).unref();
importModule(url).then(online);
