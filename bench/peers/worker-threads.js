'use strict';

const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

const file = join(__dirname, 'worker-threads-thread.js');

/**
 * `postMessage` there and back, answers in order, one promise per call: the
 * least that someone who writes it by hand needs. With several workers the
 * calls go round.
 */
function open({ workers = 1, job }) {
  const members = Array.from({ length: workers }, () => start(job));
  let next = 0;
  return {
    call(input, transfer) {
      const member = members[next];
      next = next + 1 === workers ? 0 : next + 1;
      return new Promise((resolve) => {
        member.waiting.push(resolve);
        member.thread.postMessage(input, transfer);
      });
    },
    close: () => Promise.all(members.map(({ thread }) => thread.terminate())),
  };
}

function start(job) {
  const thread = new Worker(file, { workerData: job });
  const waiting = new Queue();
  thread.on('message', (value) => waiting.shift()(value));
  return { thread, waiting };
}

/** `Array.prototype.shift` moves everything once an array is long. */
class Queue {
  #items = [];
  #head = 0;

  push(item) {
    this.#items.push(item);
  }

  shift() {
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head === 4096) {
      this.#items.splice(0, this.#head);
      this.#head = 0;
    }
    return item;
  }
}

/**
 * The bare echo: no promise, no order to keep, only a counter.
 *
 * @returns {{ run: (value: unknown, inFlight: number, ms: number,
 *   jobsPerLook: number) => Promise<{ jobs: number, seconds: number }>,
 *   close: Function }} `jobsPerLook` as in `keepInFlight`
 */
function openBare({ workers = 1, job }) {
  const threads = Array.from(
    { length: workers },
    () => new Worker(file, { workerData: job }),
  );
  function run(value, inFlight, ms, jobsPerLook) {
    const { promise, resolve } = withResolvers();
    const begin = performance.now();
    let flying = 0;
    let jobs = 0;
    let isOver = false;
    for (const thread of threads) {
      thread.removeAllListeners('message');
      thread.on('message', () => {
        jobs += 1;
        flying -= 1;
        if (jobs % jobsPerLook === 0) {
          isOver ||= performance.now() - begin >= ms;
        }
        if (!isOver) {
          flying += 1;
          thread.postMessage(value);
        } else if (flying === 0) {
          resolve({ jobs, seconds: (performance.now() - begin) / 1000 });
        }
      });
    }
    for (; flying < inFlight; flying += 1) {
      threads[flying % workers].postMessage(value);
    }
    return promise;
  }
  return {
    run,
    close: () => Promise.all(threads.map((thread) => thread.terminate())),
  };
}

function withResolvers() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

module.exports = { file, open, openBare };
