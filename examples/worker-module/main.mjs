// A module with state of its own in one isolate, called export by export:
//   node examples/worker-module/main.mjs

import { fileURLToPath } from 'node:url';
import { Worker } from 'sloppy-workers';

const worker = await Worker.start(
  fileURLToPath(new URL('./search-index.mjs', import.meta.url)),
  { memoryLimitMb: 64 },
);
const unsubscribe = worker.onMessage((message) => {
  console.log(`indexed ${message.indexed}`);
});

// `post` calls the export onMessage, `invoke` any other; in order, one at a
// time, and each with a copy of what it is given.
await worker.post({ id: 'whale', text: 'Call me Ishmael.' });
await worker.post({ id: 'city', text: 'It was the best of times, it was …' });
await worker.post({ id: 'castle', text: 'Someone must have slandered me.' });
unsubscribe();

console.log('me:', await worker.invoke('search', 'me'));
console.log('times:', await worker.invoke('search', 'times'));

try {
  await worker.invoke('search', 42);
} catch (error) {
  console.log(error.code, '-', error.cause.message);
}
try {
  await worker.invoke('remove', 'whale');
} catch (error) {
  console.log(error.message);
}

await worker.stop();
console.log('ok');
