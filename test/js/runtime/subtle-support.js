'use strict';

// The same program over crypto.subtle, in a bare context and in Node.

const { webcrypto } = require('node:crypto');

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();

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

/** What the body of an async function of (subtle, given) gives, as JSON. */
async function inBare(body, given = null) {
  const text = await bare.run(`(async () => {
    const { subtle } = crypto;
    const given = ${JSON.stringify(given)};
    ${HELPERS}
    return JSON.stringify(await (async () => { ${body} })());
  })()`);
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

module.exports = { bare, inBare, inNode, same };
