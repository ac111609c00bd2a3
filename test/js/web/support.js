'use strict';

// Checks of the web platform, written from the standards' text. Each is a
// function that runs in a worker, and what it must answer.

const { WorkerPool } = require('../../../lib/index.js');

// The helpers that the checks may use besides the platform.
function prelude() {
  const nameOf = (error) =>
    error instanceof DOMException ? `DOM ${error.name}` : error?.name;
  globalThis.thrown = (work) => {
    try {
      return ['none', work()];
    } catch (error) {
      return nameOf(error) ?? ['value', error];
    }
  };
  globalThis.rejected = async (promise) => {
    try {
      return ['none', await promise];
    } catch (error) {
      return nameOf(error) ?? ['value', error];
    }
  };
  // A module of WebAssembly whose export g answers 42.
  globalThis.answering = () =>
    new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 5, 1,
      1, 103, 0, 0, 10, 6, 1, 4, 0, 65, 42, 11,
    ]);
  // Node leaves some promises unsettled that the standard rejects.
  globalThis.within = (promise) =>
    Promise.race([rejected(promise), later(500).then(() => 'unsettled')]);
  globalThis.collect = async (stream) => {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return chunks;
  };
  // A timer that is due comes before tasks of that turn: they get theirs too.
  globalThis.later = async (ms = 0) => {
    await new Promise((resolve) => {
      setTimeout(resolve, ms);
    });
    for (let turn = 0; turn < 10; turn += 1) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  };
}

// A job's result has null for `undefined` inside a list.
const plain = (value) =>
  value === undefined ? value : JSON.parse(JSON.stringify(value));

// The answer of a check in which Node differs from the standard, or its
// releases from each other: that of a thread of this Node's.
const AS_NODE = Symbol('as this Node');

/**
 * @param {string} title the interface
 * @param {Record<string, [() => unknown, unknown]>} checks by what they say
 */
function standard(title, checks) {
  describe(title, () => {
    let pool;
    let threads;

    beforeAll(async () => {
      pool = WorkerPool.create('standard', { workers: 1 });
      await pool.run(prelude);
    });

    afterAll(async () => {
      await pool.stop();
      await threads?.stop();
    });

    async function inThread(work) {
      if (threads === undefined) {
        threads = WorkerPool.create('node', { workers: 1, runtime: 'thread' });
        await threads.run(prelude);
      }
      return threads.run(work);
    }

    for (const [name, [work, answer]] of Object.entries(checks)) {
      test(name, async () => {
        const wanted = answer === AS_NODE ? await inThread(work) : answer;
        expect(plain(await pool.run(work))).toEqual(plain(wanted));
      });
    }
  });
}

module.exports = { AS_NODE, prelude, standard };
