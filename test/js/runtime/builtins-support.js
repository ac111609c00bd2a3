'use strict';
// Runs code with the built-in modules of a worker, in a context of its own.

const { createBareContext } = require('./bare-context.js');

/** @returns {string | undefined} the code of the error that the call throws */
function codeOf(call) {
  try {
    call();
    return undefined;
  } catch (error) {
    return error.code;
  }
}

const bare = createBareContext();
const { api } = bare;
bare.context.require = (name) => api.builtin(name, 'importer.js');
const run = (source) => bare.run(`(() => { ${source} })()`);
const wait = async (source) => {
  const promise = bare.run(`(async () => { ${source} })()`);
  let done = false;
  const settled = promise.finally(() => {
    done = true;
  });
  settled.catch(() => {});
  while (!done) await bare.loop.advance(5);
  return settled;
};

module.exports = { api, bare, codeOf, run, wait };
