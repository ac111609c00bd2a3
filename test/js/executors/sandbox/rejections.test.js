'use strict';
// Rejections in turns of the loop, which begin outside of all contexts.

const { describeHere } = require('./support.js');
const { WorkerPool } = require('../../../../lib/index.js');

describeHere('what nobody caught in a sandbox', () => {
  let pool;
  beforeAll(() => {
    pool = WorkerPool.create('rejections', {
      sandbox: true,
      runTimeoutMs: 20_000,
    });
  });
  afterAll(() => pool.stop());

  test('is told of from callbacks of timers', async () => {
    const seen = await pool.run(async () => {
      const log = [];
      const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
      process.on('unhandledRejection', (reason) => {
        log.push(reason);
        if (reason === 'thrown') throw 'by a listener';
      });
      process.on('rejectionHandled', () => log.push('handled'));
      process.on('uncaughtException', (...event) => log.push(event));
      await turn();
      const late = Promise.reject('late');
      await turn();
      late.catch(() => {});
      Promise.reject('thrown');
      await turn();
      process.removeAllListeners('unhandledRejection');
      Promise.reject({ stack: 'an error' });
      await turn();
      return log;
    });
    expect(seen).toEqual([
      'late',
      'handled',
      'thrown',
      ['by a listener', 'uncaughtException'],
      [{ stack: 'an error' }, 'unhandledRejection'],
    ]);
  });
});
