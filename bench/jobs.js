'use strict';

/**
 * The work that peers do, as functions of one argument that use nothing from
 * around them: they travel as source text.
 */
const jobs = {
  echo: (value) => value,
  promise: async (value) => value,
  length: (value) => value.byteLength,
  spin: (steps) => {
    let x = 1;
    for (let i = 0; i < steps; i += 1) x = (x * 69069 + i) & 0x7fffffff;
    return x;
  },
  forever: () => {
    for (;;);
  },
};

module.exports = { jobs };
