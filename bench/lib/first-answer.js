'use strict';
/**
 * A program that loads a pool and asks it for one answer; prints how long that
 * took, in milliseconds from its first line on.
 *
 *     node bench/lib/first-answer.js <peer>
 */
const begin = performance.now();

const { openPool } = require('../peers/index.js');

async function main() {
  const pool = await openPool(process.argv[2], { job: 'echo' });
  await pool.call(1);
  console.log(performance.now() - begin);
  // Not all of them end by themselves.
  process.exit();
}

main();
