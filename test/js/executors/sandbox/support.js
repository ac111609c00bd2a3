'use strict';

const fs = require('node:fs');
const path = require('node:path');

const children = require('../../../sandbox/children.js');

const root = path.join(__dirname, '../../../..');
const preset = process.env.SLOPPY_WORKERS_PRESET || 'release';
const abi = `abi${process.versions.modules}`;
// The addon with test/sandbox/attempts.cc, of `npm run build -- --tests`.
const ATTEMPTS = path.join(
  root,
  'build',
  abi,
  preset,
  'sloppy_workers_native_tests.node',
);

const isHere =
  process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch);

/** Has the library load it. */
function useAttempts() {
  process.env.SLOPPY_WORKERS_BINARY = ATTEMPTS;
}

/** `describe`, or skipped where there is no sandbox, or not what is tried. */
const describeHere = isHere ? describe : describe.skip;
const describeAttempts =
  isHere && fs.existsSync(ATTEMPTS) ? describe : describe.skip;

const TIME = { runTimeoutMs: 20_000 };

/** @returns {(options?: object) => object} pools that end with their test */
function sandboxes() {
  const pools = [];
  afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.stop())));
  return (options = {}) => {
    // Loaded late, because of useAttempts().
    const { WorkerPool } = require('../../../../lib/index.js');
    const given = { ...TIME, sandbox: true, ...options };
    const pool = WorkerPool.create('tenants', given);
    pools.push(pool);
    return pool;
  };
}

/** How a promise ends: `{ value }` or a code. */
const codeOf = (promise) =>
  promise.then(
    (value) => ({ value }),
    ({ code }) => code,
  );

module.exports = {
  TIME,
  codeOf,
  sandboxes,
  ...children,
  describeAttempts,
  describeHere,
  useAttempts,
};
