'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. Atomics.waitAsync:
// another thread may notify the promise, and V8 does not tell whether one is
// waited for. So each holds the worker, as a call of the owner's does, and a
// job that awaits it ends by its limits alone.
const { apply, then } = require('./primordials.js');

runtime.need('memory');
const { hold } = runtime.rare();
const { disguise } = runtime.memory;

const release = () => hold(-1);

runtime.wrapWaitAsync = (original) => {
  const wrapped = {
    waitAsync(...args) {
      const result = apply(original, this, args);
      if (result.async) {
        hold(1);
        then(result.value, release, release);
      }
      return result;
    },
  };
  return disguise(wrapped.waitAsync, original);
};
