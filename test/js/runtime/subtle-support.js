'use strict';

// The same program over crypto.subtle, in an isolate and in Node.

const { webcrypto } = require('node:crypto');

const { WorkerPool } = require('../../../lib/index.js');

let pool;
beforeAll(() => {
  pool = WorkerPool.create('subtle', { workers: 1 });
});
afterAll(() => pool.stop());

const HELPERS = `
  const bytes = (text) => Uint8Array.from(text, (c) => c.charCodeAt(0));
  const hex = (data) => Array.from(new Uint8Array(data), (b) => b.toString(16).padStart(2, '0')).join('');
  const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (b) => parseInt(b, 16));
  const name = (promise) => promise.then(() => 'no error', (error) => error.name);
  const raw = (algorithm, size, usages) =>
    subtle.importKey('raw', new Uint8Array(size).fill(7), algorithm, true, usages);
  const iv = new Uint8Array(16).fill(3);
  const data = bytes('some data that is longer than one block');
`;

/** The result of the body of an async function of (subtle, given), as JSON. */
async function inBare(body, given = null) {
  const program = `(async (subtle, given) => {
    ${HELPERS}
    return JSON.stringify(await (async () => { ${body} })());
  })`;
  const text = await pool.run(
    ({ input }) =>
      new Function(`return ${input.program}`)()(crypto.subtle, input.given),
    { input: { program, given } },
  );
  return JSON.parse(text);
}

async function inNode(body, given = null) {
  const run = new Function(
    'subtle',
    'given',
    `${HELPERS} return (async () => { ${body} })();`,
  );
  return JSON.parse(JSON.stringify(await run(webcrypto.subtle, given)));
}

async function same(body, given = null) {
  const ours = await inBare(body, given);
  expect(ours).toEqual(await inNode(body, given));
  return ours;
}

module.exports = { inBare, inNode, same };
