'use strict';

const {
  JOBS_PER_LOOK,
  ROUND_MS,
  WARM_MS,
  pick,
  rates,
} = require('./echo-question.js');
const { processCpuUs, threadCpuUs } = require('./thread-usage.js');
const { openBare } = require('../peers/worker-threads.js');

/** worker_threads at its best: a counted echo without promises, as a subject. */
const bareEcho =
  (input, { workers = 1, inFlight = 256 } = {}) =>
  async ({ quick }) => {
    const echo = openBare({ workers, job: 'echo' });
    const load = (times) =>
      echo.run(input, inFlight, pick(times, quick), JOBS_PER_LOOK);
    await load(WARM_MS);
    return {
      async round() {
        const owner = threadCpuUs();
        const everything = processCpuUs();
        const run = await load(ROUND_MS);
        return rates({
          ...run,
          ownerUs: threadCpuUs() - owner,
          processUs: processCpuUs() - everything,
        });
      },
      close: echo.close,
    };
  };

module.exports = { bareEcho };
