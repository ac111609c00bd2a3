'use strict';

// Turns of the microtasks that stand for a file that Node 20 reads, more than
// what runs meanwhile takes; for what it need not read, because its name says
// that it is CommonJS or a built-in; and for a text that is in its URL.
const TURNS_OF_A_FILE = 100;
const TURNS_OF_A_NAME = 2;
const TURNS_OF_A_TEXT = 3;
// Node opens, measures, reads and closes it, each in a turn of its loop.
const LOOP_TURNS_OF_A_FILE = 4;

/**
 * The turns that Node 20 takes for what it loads: of the microtasks, and of the
 * loop where something else would run meanwhile.
 *
 * @param {object} promises see src/runtime/own-promises.js
 * @param {() => boolean} isTurnDue see src/runtime/loader.js
 * @param {(callback: () => void) => unknown} nextTurn
 */
function createTurns({ own, follow, make, resolved }, isTurnDue, nextTurn) {
  let reading = resolved;

  async function turns(count) {
    for (let i = 0; i < count; ++i) await undefined;
  }

  // The loop turns only for what is due, because a turn takes longer than those
  // of the microtasks.
  async function turnsOfFile() {
    for (let i = 0; i < LOOP_TURNS_OF_A_FILE && isTurnDue(); ++i) {
      await make(nextTurn);
    }
    await own(turns(TURNS_OF_A_FILE));
  }

  return {
    ofName: () => own(turns(TURNS_OF_A_NAME)),
    ofText: () => own(turns(TURNS_OF_A_TEXT)),

    /** Files come one after the other, each with all that it sets off. */
    ofFile() {
      reading = follow(reading, () => own(turnsOfFile()));
      return reading;
    },
  };
}

module.exports = { createTurns };
