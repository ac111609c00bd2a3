// The program that is bundled. `sloppy-workers` itself stays outside, because
// it has a binary and worker files beside it. Code that it is given goes into
// the bundle as usual.

import { csvFormat } from 'd3-dsv';
import { WorkerPool } from 'sloppy-workers';

const pool = WorkerPool.create('squares');

// The function is sent as source text, so it may use nothing around it but the
// helpers that compilers put there.
const squares = await Promise.all(
  [1, 2, 3].map((n) =>
    pool.run(({ input }) => ({ n: input, square: input * input }), {
      input: n,
    }),
  ),
);
console.log(csvFormat(squares));
await pool.stop();
