'use strict';
// A producer process: node producer.cjs '<json>'. It adds jobs until SIGTERM;
// the id of each that is acknowledged is a line of a ledger, which survives
// kill -9. It says `up` to its parent after each round.

const fs = require('node:fs');

const { engine } = require('../lib/engines.cjs');

const { engine: kind, where, name, ledger } = JSON.parse(process.argv[2]);
const EACH = 5;
const KINDS = [{}, { priority: 3 }, { delay: 30 }];
const queue = engine(kind, where).Queue(name);
let isStopping = false;
process.once('SIGTERM', () => {
  isStopping = true;
});

(async () => {
  while (!isStopping) {
    const opts = KINDS.flatMap((kind) => Array(EACH).fill(kind));
    const added = opts.map(async (more, value) => {
      const data = { kind: 'spin', ms: 1, value };
      const { id } = await queue.add('job', data, more);
      fs.appendFileSync(ledger, `${id}\n`);
    });
    await Promise.all(added);
    process.send('up');
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  await queue.close();
  process.disconnect();
})();
