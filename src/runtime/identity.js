'use strict';
// Part of the realm's own JavaScript: see bootstrap.js. The realm's worker, as
// jobs see it in their context.
const { freeze } = require('./primordials.js');

const { rare } = runtime;
let worker;

runtime.workerOf = () => {
  if (worker === undefined) {
    // None in a realm that was replaced.
    const ids = rare().identity() ?? [];
    worker = freeze({
      number: ids[0],
      place: ids[1],
      threadId: ids[2],
      pid: ids[3],
    });
  }
  return worker;
};
