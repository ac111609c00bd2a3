'use strict';

// Near the end of the stack any call can throw a RangeError, even between two
// steps that belong together: a place would be taken and never freed. Code that
// changes state checks first that there is room for all of it.

const SOME = 16;
const ROOM = 64;
// The first calls need 40 KB, because V8 compiles them; the rest is a margin.
const MUCH = 360;
const FIRST_CALLS = 64;

// The arguments keep frames as large in optimized code as in the interpreter,
// about 170 bytes each.
function descend(n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p) {
  return n === 0
    ? 0
    : descend(n - 1, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p) + 1;
}

/**
 * Checks that there are 60 KB, enough to load modules and to start threads too,
 * and to execute a regular expression, as Node's paths and URLs do: V8 11 and 12
 * end the process if the stack ends while they compile one, which they do late.
 *
 * @throws {RangeError} there is less
 */
const needMuchRoom = () =>
  descend(MUCH, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/**
 * @param {number} levels to check for, once the code that follows was compiled
 * @returns {() => void} throws a RangeError where there is less
 */
function asker(levels) {
  let first = FIRST_CALLS;
  return () => {
    if (first > 0) {
      needMuchRoom();
      first -= 1;
    } else {
      descend(levels, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
  };
}

/** @returns {() => void} for the steps of every job: 3 KB, in 60 to 90 ns */
const asksForSome = () => asker(SOME);

/**
 * @returns {() => void} for calls into Node's timers and listeners too: 11 KB
 */
const asksForRoom = () => asker(ROOM);

const noRoom = new RangeError('Maximum call stack size exceeded');
// The error is shared, so its stack must not show one caller's frames.
noRoom.stack = 'RangeError: Maximum call stack size exceeded';

/** The rejection where there is not even room to make one. */
const outOfRoom = Promise.reject(noRoom);
outOfRoom.catch(() => {});

module.exports = { asksForRoom, asksForSome, needMuchRoom, outOfRoom };
