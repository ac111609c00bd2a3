'use strict';

/** Lets pending promise callbacks run; no time passes. */
async function settleMicrotasks() {
  for (let i = 0; i < 30; i += 1) await null;
}

/** The value that a promise rejects with. */
async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('did not reject');
}

/** The value that a function throws. */
function thrownBy(fn) {
  try {
    fn();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

module.exports = { rejection, settleMicrotasks, thrownBy };
