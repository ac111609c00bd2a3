'use strict';

const { pick } = require('../lib/echo-question.js');

const MESSAGES = { full: 50_000, quick: 2000 };
const HANDLER = 'finished({ messageNo: message.messageNo })';

/** QOper8's queue at its fullest: one burst of messages, two workers. */
const burst =
  (load, options) =>
  async ({ quick }) => {
    const { QOper8 } = await load();
    const pool = new QOper8({
      ...options,
      poolSize: 2,
      maxQueueLength: MESSAGES.full,
      handlersByMessageType: new Map([['echo', { text: HANDLER }]]),
    });
    const count = pick(MESSAGES, quick);
    const send = () =>
      new Promise((resolve) => {
        let left = count;
        const answered = () => {
          left -= 1;
          if (left === 0) resolve();
        };
        for (let messageNo = 0; messageNo < count; messageNo += 1) {
          pool.message({ type: 'echo', messageNo }, answered);
        }
      });
    await send();
    return {
      async round() {
        const begin = performance.now();
        await send();
        return { rate: (count * 1000) / (performance.now() - begin) };
      },
      close: () => pool.stop(),
    };
  };

// As bench/lib/library.js has it.
const root = process.env.SLOPPY_BENCH_ROOT ?? '../..';
const ours = () => require(`${root}/lib/adapters/qoper8.js`);

module.exports = {
  title: 'QOper8: a burst of 50 000 messages, two workers',
  lines: {
    rate: {
      title: 'messages per second',
      unit: '/s',
      better: 'higher',
      goals: [{ peer: 'qoper8-wt', ratio: 5 }],
    },
  },
  subjects: {
    'sloppy-workers': burst(ours, {}),
    'sloppy-workers on threads': burst(ours, { runtime: 'thread' }),
    'qoper8-wt': burst(() => import('qoper8-wt'), {}),
  },
};
