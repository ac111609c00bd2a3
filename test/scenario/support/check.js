'use strict';
// The parts that the scenarios of the native core share.

const assert = require('node:assert');

const { SloppyWorkerError, WorkerPool } = require('../../../lib/index.js');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');

/** A `maxMicrotasks` with which a chain that feeds itself goes on for good. */
const NO_BOUND = 2 ** 31;

/** @returns {Promise<string>} 'ok', or the code a promise was rejected with */
async function outcomeOf(promise) {
  try {
    await promise;
    return 'ok';
  } catch (error) {
    if (error instanceof SloppyWorkerError) return error.code;
    throw error;
  }
}

async function expectCode(label, promise, name) {
  const outcome = await outcomeOf(promise);
  const wanted = name === 'ok' ? 'ok' : Code[name];
  assert.strictEqual(outcome, wanted, `${label}: ${outcome}, not ${wanted}`);
}

/** The pool answers, and its worker's realm is one where the basics work. */
async function expectAlive(pool, label) {
  const answer = await pool.run(
    ({ input }) => [input, [1, 2, 3].map((n) => n * 2).join()],
    { input: label },
  );
  assert.deepStrictEqual(answer, [label, '2,4,6']);
}

/** A promise with its functions outside. */
function gate() {
  const made = {};
  made.promise = new Promise((resolve, reject) => {
    Object.assign(made, { resolve, reject });
  });
  return made;
}

/** Resolves once the job has begun: it must call `ctx.emit` first of all. */
function started(pool, fn, options = {}) {
  const begun = gate();
  const promise = pool.run(fn, { ...options, onMessage: begun.resolve });
  promise.catch(() => {});
  return begun.promise.then(() => ({ promise }));
}

function pass() {
  console.log('pass');
}

module.exports = {
  Code,
  NO_BOUND,
  WorkerPool,
  assert,
  expectAlive,
  expectCode,
  gate,
  outcomeOf,
  pass,
  started,
};
