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
  // As spin, for `run`, whose functions get a context.
  spinInput: ({ input }) => {
    let x = 1;
    for (let i = 0; i < input; i += 1) x = (x * 69069 + i) & 0x7fffffff;
    return x;
  },
  // The time to read every character of a text that came with others, relative
  // to a text of the realm's own; and the texts, for the one who asked.
  readCharacters: ({ texts, passes }) => {
    const own = JSON.parse(JSON.stringify(texts));
    const read = (list) => {
      let lines = 0;
      const begin = performance.now();
      for (let n = 0; n < passes; n += 1) {
        for (const text of list) {
          for (let i = 0; i < text.length; i += 1) {
            if (text.charCodeAt(i) === 10) lines += 1;
          }
        }
      }
      globalThis.lines = lines;
      return performance.now() - begin;
    };
    let came = Infinity;
    let made = Infinity;
    for (let n = 0; n < 12; n += 1) {
      came = Math.min(came, read(texts));
      made = Math.min(made, read(own));
    }
    return { ratio: came / made, texts: own };
  },
  forever: () => {
    for (;;);
  },
};

module.exports = { jobs };
