'use strict';

const { runNode } = require('../support/run-node.js');

// The file that Yarn's Plug'n'Play loads first does the same.
const AS_YARN = `Object.defineProperty(process.versions, 'pnp', { value: '3' });`;
const FIRST_WORDS = "isolates find packages in node_modules, which Yarn's";

/** The first words of the hint for what a job throws. */
const hintOf = (before, job) =>
  runNode([
    '-e',
    `${before}
    const { WorkerPool } = require('./lib/index.js');
    const pool = WorkerPool.create('p');
    const tell = ({ hint }) => console.log(hint.slice(0, ${FIRST_WORDS.length}));
    pool.run(${job}).catch(tell).then(() => pool.stop());`,
  ]).trim();

const MISSING = "() => import('no-such-package')";

test('a package that is missing has a hint under Plug’n’Play', () => {
  expect(hintOf(AS_YARN, MISSING)).toBe(FIRST_WORDS);
});

test('not elsewhere, and not for other errors', () => {
  expect(hintOf('', MISSING)).not.toBe(FIRST_WORDS);
  const other = "() => { throw new Error('no-such-package') }";
  expect(hintOf(AS_YARN, other)).not.toBe(FIRST_WORDS);
});
