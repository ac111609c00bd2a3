'use strict';

// The worker of a Scheduler: loads the handlers module once and runs the tasks
// it names, on a thread and in an isolate alike.

const { parentPort, workerData } = require('node:worker_threads');

const handlers = loadHandlers(workerData.modulePath);

parentPort.on('message', ({ id: callbackId, data: { type, payload } }) => {
  const post = (answer) => parentPort.postMessage({ callbackId, ...answer });
  if (type === 'request') {
    post({ type });
  } else if (!isHandler(type)) {
    post({ error: { message: `Unknown task type "${type}"` } });
  } else {
    runTask(type, payload).then(
      (result) => postResult(post, result),
      (err) => post({ error: errorValue(err) }),
    );
  }
});

async function runTask(type, payload) {
  return handlers[type](payload);
}

function postResult(post, result) {
  try {
    post({ result });
  } catch (err) {
    post({ error: errorValue(err) });
  }
}

// Only own properties, because `toString` is no task.
function isHandler(type) {
  return Object.hasOwn(handlers, type) && typeof handlers[type] === 'function';
}

// The text is the contract; it is wrapped, because an empty one would count as
// success.
function errorValue(err) {
  const message = String(err?.message ?? err);
  return message || { message };
}

function loadHandlers(modulePath) {
  try {
    return require(modulePath);
  } catch (err) {
    console.error('Failed to load handlers module:', err);
    process.exit(1);
  }
}
