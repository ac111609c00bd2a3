'use strict';

const { execFileSync } = require('node:child_process');

const LIB = require.resolve('../../../lib/index.js');

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
  const shell = `ulimit -n ${limit}; exec "$0" -e "$1"`;
  const { execPath } = process;
  const said = execFileSync('sh', ['-c', shell, execPath, program]);
  return JSON.parse(said.toString());
}

module.exports = { endsWithFew };
