// A worker_threads Worker that does one job after the other.
import { parentPort, workerData } from 'node:worker_threads';

const { [workerData.name]: job } = await import(workerData.module);

parentPort.on('message', async (input) => {
  parentPort.postMessage(await job(input));
});
