'use strict';

const { ROUND_MS, WARM_MS, pick, rates } = require('./echo-question.js');
const { processCpuUs, threadCpuUs } = require('./thread-usage.js');
const { openBare } = require('../peers/worker-threads.js');

/** worker_threads at its best: a counted echo without promises, as a subject. */
const bareEcho =
  (input, { workers = 1, inFlight = 256 } = {}) =>
  async ({ quick }) => {
    const echo = openBare({ workers, job: 'echo' });
    await echo.run(input, inFlight, pick(WARM_MS, quick));
    return {
      async round() {
        const owner = threadCpuUs();
        const everything = processCpuUs();
        const run = await echo.run(input, inFlight, pick(ROUND_MS, quick));
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
