'use strict';

const { execFileSync } = require('node:child_process');

const LIB = require.resolve('../../../lib/index.js');

function runWithFew(limit, program) {
  const shell = `ulimit -n ${limit}; exec "$0" -e "$1"`;
  const { execPath } = process;
  const said = execFileSync('sh', ['-c', shell, execPath, program]);
  return JSON.parse(said.toString());
}

/**
 * @param {number} limit of open files
 * @param {object} options of a pool, in a program of its own
 * @returns {unknown[]} the values and codes of four jobs, one after the other
 */
function endsWithFew(limit, options) {
  const program = `
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const pool = WorkerPool.create('few', ${JSON.stringify(options)});
    (async () => {
      const ends = [];
      for (let i = 0; i < 4; i += 1) {
        ends.push(await pool.run(() => 1).catch(({ code }) => code));
      }
      await pool.stop();
      console.log(JSON.stringify(ends));
    })();`;
  return runWithFew(limit, program);
}

/**
 * @param {number} limit of open files
 * @param {object} options of pools, in a program of its own
 * @returns {object} `{ ends, sockets }`: the values and codes of three pools' jobs,
 *   one after the other, and how many sockets they have left open
 */
function leftWithFew(limit, options) {
  const program = `
    const { readdirSync, readlinkSync } = require('node:fs');
    const { WorkerPool } = require(${JSON.stringify(LIB)});
    const count = () => readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync('/proc/self/fd/' + fd).startsWith('socket:');
      } catch {
        return false;
      }
    }).length;
    (async () => {
      const ends = [];
      const before = count();
      for (let i = 0; i < 3; i += 1) {
        const pool = WorkerPool.create('few', ${JSON.stringify(options)});
        ends.push(await pool.run(() => 1).catch(({ code }) => code));
        await pool.stop();
      }
      const sockets = () => count() - before;
      // Node closes those of the last one a little later.
      for (let i = 0; i < 200 && sockets() > 0; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      process.stdout.write(JSON.stringify({ ends, sockets: sockets() }));
    })();`;
  return runWithFew(limit, program);
}

module.exports = { endsWithFew, leftWithFew };
