'use strict';
// One of Node's test files in this realm: 'ok', or why it is skipped. Throws
// what has failed.

const { createRequire } = require('node:module');
const { dirname, join } = require('node:path');

const TURN_MS = 10;
const TURNS = 300;

const turn = () => new Promise((resolve) => setTimeout(resolve, TURN_MS));

exports.one = async ({ input: file }) => {
  const common = join(dirname(file), '../common');
  const { Skip, missing, state } = require(`${common}/index.js`).__suite;
  try {
    if (file.endsWith('.mjs')) await import(file);
    else createRequire(file)(file);
  } catch (error) {
    if (error instanceof Skip) return `skipped: ${error.message}`;
    throw error;
  }
  await require(`${common}/test.js`).settled();
  for (let left = TURNS; left > 0 && missing().length > 0; left -= 1) {
    await turn();
  }
  await turn();
  process.emit('exit', 0);
  if (state.error !== undefined) throw state.error;
  const [first] = missing();
  if (first === undefined) return 'ok';
  throw new Error(
    `called ${first.calls} of ${first.times} times: ${first.place.stack}`,
  );
};
