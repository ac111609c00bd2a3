'use strict';

// Near the end of the stack any call can throw a RangeError, between two steps
// that belong together as well: a place is taken, and nobody ever gives it
// back. What changes state asks first whether there is room for all of it.

const SOME = 16;
const ROOM = 64;
// What V8 compiles first needs 40 KB for that; half as much again for doubt.
const MUCH = 360;
const FIRST_CALLS = 64;

// Arguments make the frames as large in optimized code as in the interpreter:
// about 170 bytes each.
function descend(n, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p) {
  return n === 0
    ? 0
    : descend(n - 1, a, b, c, d, e, f, g, h, i, j, k, l, m, o, p) + 1;
}

/**
 * Asks for 60 KB, which are enough to load modules and to start threads too.
 *
 * @throws {RangeError} there is less
 */
const needMuchRoom = () =>
  descend(MUCH, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

/**
 * @param {number} levels to ask for once what follows was compiled
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

/** @returns {() => void} for what every job does: 3 KB, in 60 to 90 ns */
const asksForSome = () => asker(SOME);

/** @returns {() => void} for timers and listeners of Node's too: 11 KB */
const asksForRoom = () => asker(ROOM);

const noRoom = new RangeError('Maximum call stack size exceeded');
// One for all, so its stack is nobody's.
noRoom.stack = 'RangeError: Maximum call stack size exceeded';

/** Where there is not even room to make one. */
const outOfRoom = Promise.reject(noRoom);
outOfRoom.catch(() => {});

module.exports = { asksForRoom, asksForSome, needMuchRoom, outOfRoom };
