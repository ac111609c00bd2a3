'use strict';

// Runs first in a worker thread: loads the user's module, then tells the owner
// that it is up. Node's own `online` comes before the module is even found.

const { parentPort } = require('node:worker_threads');
const { fileURLToPath } = require('node:url');

const ONLINE = 'sloppy-workers/online';
const [url] = process.argv.splice(2, 1);
if (url.startsWith('file:')) process.argv[1] = fileURLToPath(url);

let told = false;
const online = () => {
  if (told) return;
  told = true;
  parentPort.postMessage(ONLINE);
};

// A module that awaits its first message at its top level is up as well; the
// timer can only fire once such a module has gone back to the event loop.
setTimeout(online, 1000).unref();
import(url).then(online);
