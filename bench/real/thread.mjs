// A worker_threads Worker that does one job after the other.
import { parentPort, workerData } from 'node:worker_threads';

const { [workerData]: job } = await import('./jobs.mjs');

parentPort.on('message', (input) => parentPort.postMessage(job(input)));
