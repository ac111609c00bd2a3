'use strict';
// Waits of sloppy-workers/sqlite end: of close(), for events, for jobs.

const { files, withDriver } = require('./sqlite-support.js');

const JOB = { name: 'a', data: '{}', opts: {}, timestamp: 1 };

/** Nothing of the event loop runs meanwhile, so timers are late. */
function block(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

withDriver('driver %s', (driver) => {
  const { backend } = files(driver);

  describe.each(['normal', 'full'])('%s', (synchronous) => {
    test('close() waits for what was asked before, not for what others go on asking', async () => {
      const busy = backend({}, { synchronous });
      let isOver = false;
      // A job that is added makes who waits look, so something is asked at each
      // moment.
      await busy.pause(true);
      const waits = busy.waitForJob(60);
      const going = (async () => {
        for (let n = 0; n < 1000 && !isOver; n++) await busy.addJob(JOB, '');
        return 'only when nobody asks any more';
      })();
      const own = backend({}, { synchronous });
      const adding = own.addJob(JOB, 'last');
      const closing = own.close().then(() => 'closed');
      expect(await Promise.race([closing, going])).toBe('closed');
      expect(await busy.getState('last')).toBe('waiting');
      await adding;
      isOver = true;
      await going;
      await busy.disconnectBlocking();
      expect(await waits).toBe(null);
    });
  });

  test('events that are there are read, though the time is over', async () => {
    const own = backend();
    await own.addJob(JOB, 'one');
    const reading = own.readEvents('0-0', 1);
    block(20);
    const [[, events]] = await reading;
    expect(events.map(([, fields]) => fields[1])).toEqual(['added', 'waiting']);
  });

  test('a job that is there is found, though the time is over', async () => {
    const own = backend();
    await own.addJob(JOB, 'one');
    const waiting = own.waitForJob(0.001);
    block(20);
    expect(await waiting).toEqual({ member: '0', score: 0 });
    await own.pause(true);
    expect(await own.waitForJob(0.001)).toBe(null);
  });
});
