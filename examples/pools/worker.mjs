import { parentPort } from 'node:worker_threads';

// Streams the words of a text back, one message each, then says it is done.
parentPort.on('message', ({ id, type, data }) => {
  if (type !== 'words') {
    parentPort.postMessage({
      id,
      type: 'error',
      error: `unknown type ${type}`,
    });
    return;
  }
  for (const record of data.split(/\s+/)) {
    parentPort.postMessage({ id, type: 'record', record });
  }
  parentPort.postMessage({ id, type: 'done' });
});
