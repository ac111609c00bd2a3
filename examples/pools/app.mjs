// Sessions over a reusable pool, and a one-shot session that needs no pool:
//   node app.mjs

import { ReusableWorkerPool, WorkerSession } from 'sloppy-workers/pools';

const workerURL = new URL('./worker.mjs', import.meta.url);

// The job protocol: answers carry the id of their request.
function words(session, data) {
  const worker = session.getWorker();
  const id = session.getNextRequestId();
  return new Promise((resolve, reject) => {
    const records = [];
    const onMessage = (answer) => {
      if (answer.id !== id) return;
      if (answer.type === 'record') {
        records.push(answer.record);
        return;
      }
      worker.off('message', onMessage);
      if (answer.type === 'done') resolve(records);
      else reject(new Error(answer.error));
    };
    worker.on('message', onMessage);
    worker.postMessage({ id, type: 'words', data });
  });
}

async function withSession(workerPool, text) {
  const session = await WorkerSession.create({ workerPool, workerURL });
  try {
    return await words(session, text);
  } finally {
    session[Symbol.dispose]();
  }
}

const pool = new ReusableWorkerPool({ maxWorkers: 2 });
const texts = ['a b c', 'd e', 'f', 'g h'];
console.log(await Promise.all(texts.map((text) => withSession(pool, text))));
console.log(`workers made: ${pool.size}, full: ${pool.isFull()}`);
pool.terminate();

console.log(await withSession(undefined, 'one shot'));
