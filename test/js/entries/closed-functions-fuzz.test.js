'use strict';

// Functions that a worker runs before its runtime must leave all that the
// runtime takes from the realm as it was.

const { runNode } = require('../support/run-node.js');

test('random closed functions change no built-in object', () => {
  const script = 'test/js/support/closed-fuzz.js';
  const { ran, seen } = JSON.parse(
    runNode(['--unhandled-rejections=none', script]),
  );
  expect(ran).toBeGreaterThan(300);
  // Others do, and that is noticed.
  expect(seen).toEqual(seen.map(() => true));
});
