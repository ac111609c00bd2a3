// A worker whose module has nothing to do ends, also when its module came while
// the thread was about to sleep: many workers, in processes that take the one
// core from each other.
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const PROCESSES = 6;
const WORKERS = 60;

const main = () => {
  const { createMessageWorker } = createRequire(import.meta.url)(
    '../../lib/message-worker/message-worker.js',
  );
  const ends = Array.from({ length: WORKERS }, async () => {
    const worker = createMessageWorker({ module: 'data:text/javascript,1' });
    const [code] = await once(worker, 'exit');
    assert.strictEqual(code, 0);
  });
  return Promise.all(ends);
};

const start = async () => {
  const words = [process.execPath, fileURLToPath(import.meta.url), 'child'];
  if (process.platform === 'linux') words.unshift('taskset', '-c', '0');
  const child = spawn(words[0], words.slice(1), { stdio: 'inherit' });
  assert.deepStrictEqual(await once(child, 'close'), [0, null]);
};

if (process.argv[2] === 'child') {
  await main();
} else {
  await Promise.all(Array.from({ length: PROCESSES }, start));
  console.log('pass');
}
