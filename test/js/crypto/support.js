'use strict';

// Programs over node:crypto that must answer in an isolate what they answer on
// a thread of Node's: values, or errors with name, message, code and what
// OpenSSL adds. Not on this one: Node leaves errors in OpenSSL's queue, and ends
// the process if crypto.subtle finds them there.

const { bothPlaces } = require('../support/both-places.js');

/** Runs in both places, so it may use nothing around it. */
async function answer(program, library, input) {
  const plain = (value) => {
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength } = value;
      return `bytes ${Buffer.from(buffer, byteOffset, byteLength).toString('hex')}`;
    }
    if (value instanceof ArrayBuffer) return plain(new Uint8Array(value));
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value === 'bigint') return `${value}n`;
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, plain(each)]),
      );
    }
    return value === undefined ? 'undefined' : value;
  };
  try {
    return { value: plain(await program(library, input)) };
  } catch (error) {
    const { name, message, code, library: from, reason } = error;
    return { error: plain({ name, message, code, from, reason }) };
  }
}

const job = new Function(
  'given',
  `return (async ({ program, input }) => {
    const library = (await import('node:crypto')).default;
    const answer = ${answer};
    return answer(new Function('return ' + program)(), library, input);
  })(given.input);`,
);

const places = bothPlaces();

const inIsolate = (program, input = null) =>
  places.isolates.run(job, { input: { program: `${program}`, input } });

const inNode = (program) =>
  places.threads.run(job, { input: { program: `${program}`, input: null } });

/** @param {Record<string, Function>} programs of (crypto, input) by title */
function same(title, programs) {
  describe(title, () => {
    for (const [name, program] of Object.entries(programs)) {
      it(name, async () => {
        expect(await inIsolate(program)).toEqual(await inNode(program));
      });
    }
  });
}

/** A value that an isolate makes. */
async function made(program, input = null) {
  const { value, error } = await inIsolate(program, input);
  if (error) throw Object.assign(new Error(error.message), error);
  return value;
}

module.exports = { inIsolate, made, same };
