'use strict';

const path = require('node:path');
const { pathToFileURL } = require('node:url');

const { QOper8 } = require('../qoper8.js');

const HANDLER = pathToFileURL(path.join(__dirname, 'benchmark-handler.mjs'));

/**
 * Sends `maxMessages` messages in blocks of `blockLength`, `delay` ms apart, to
 * a handler that does next to nothing, prints the queue's growth and the
 * throughput, stops the pool and ends the process.
 *
 * @param {object} [options] `poolSize` (1), `maxMessages` (5000),
 *   `blockLength` (100), `delay` in ms (200), `maxQLength`, `logging`,
 *   `QBackup`, `runtime`; `exitOnStop: false` keeps the process
 * @returns {Promise<{ messages: number, seconds: number, rate: number,
 *   messagesByWorker: Record<string, number> }>}
 */
function benchmark(options = {}) {
  const poolSize = +options.poolSize || 1;
  const pool = new QOper8({
    logging: options.logging,
    maxQLength: options.maxQLength,
    workerInactivityLimit: 2,
    handlersByMessageType: new Map([['benchmark', { module: HANDLER }]]),
    poolSize,
    QBackup: options.QBackup,
    runtime: options.runtime,
    exitOnStop: options.exitOnStop ?? true,
  });
  return new Promise((resolve) => {
    new Run(pool, poolSize, options, resolve).sendBlock();
  });
}

class Run {
  #pool;
  #maxMessages;
  #blockLength;
  #delay;
  #done;
  #sent = 0;
  #answered = 0;
  #blocks = 0;
  #longest = 0;
  #startedAt = Date.now();
  #byWorker = {};

  constructor(pool, poolSize, options, done) {
    this.#pool = pool;
    this.#maxMessages = +options.maxMessages || 5000;
    this.#blockLength = +options.blockLength || 100;
    this.#delay = +options.delay || 200;
    this.#done = done;
    for (let id = 0; id < poolSize; id++) this.#byWorker[id] = 0;
  }

  sendBlock() {
    // A queue that is empty each time makes the delay negative, which is 1 ms
    // to timers and, since Node 24, a warning.
    const delay = Math.max(1, this.#delay);
    setTimeout(() => {
      this.#blocks++;
      this.#reportQueue(this.#pool.getQueueLength());
      const last = Math.min(this.#sent + this.#blockLength, this.#maxMessages);
      while (this.#sent < last) this.#send(++this.#sent);
      if (this.#sent < this.#maxMessages) this.sendBlock();
      else console.log('Completed sending messages');
    }, delay);
  }

  #send(messageNo) {
    this.#pool.message(
      { type: 'benchmark', messageNo },
      (_answer, workerId) => {
        this.#byWorker[workerId] = (this.#byWorker[workerId] ?? 0) + 1;
        if (++this.#answered === this.#maxMessages) this.#finish();
      },
    );
  }

  // A queue that grows gets more time between two blocks, an empty one less.
  #reportQueue(length) {
    const block = `Block no: ${this.#blocks} (${this.#sent}):`;
    if (length > this.#longest) {
      console.log(`${block} queue length increased to ${length}`);
      this.#longest = length;
      this.#delay++;
      console.log(`delay increased to ${this.#delay}`);
    }
    if (length === 0) {
      console.log(`${block} Queue exhausted`);
      this.#delay--;
      console.log(`delay reduced to ${this.#delay}`);
    }
  }

  #finish() {
    const messages = this.#answered;
    const seconds = (Date.now() - this.#startedAt) / 1000;
    const rate = messages / seconds;
    const rule = '===========================';
    console.log(rule);
    console.log(' ');
    console.log(`${messages} messages: ${seconds} sec`);
    console.log(`Processing rate: ${rate} message/sec`);
    for (const [id, count] of Object.entries(this.#byWorker)) {
      console.log(`Worker Thread ${id}: ${count} messages handled`);
    }
    console.log(' ');
    console.log(rule);
    const messagesByWorker = { ...this.#byWorker };
    this.#done({ messages, seconds, rate, messagesByWorker });
    this.#pool.stop();
  }
}

module.exports = { benchmark };
