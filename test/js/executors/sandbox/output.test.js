'use strict';
// Output of a sandbox's code: the event `output`.

const { describeHere, sandboxes } = require('./support.js');

const create = sandboxes();

describeHere('output', () => {
  const hearing = (pool) => {
    const heard = [];
    const listen = ({ stream, text }) => heard.push([stream, text]);
    pool.on('output', listen);
    return { heard, listen };
  };

  test('is told with its stream, in order, before the result', async () => {
    const pool = create();
    const { heard } = hearing(pool);
    const print = () => {
      console.log('a line', { of: 2 });
      console.error('an error');
      process.stdout.write('bare ж');
      return 1;
    };
    expect(await pool.run(print, { key: 'a' })).toBe(1);
    expect(heard).toEqual([
      ['stdout', 'a line { of: 2 }\n'],
      ['stderr', 'an error\n'],
      ['stdout', 'bare ж'],
    ]);
  });

  test('of a process that is there already, until nobody hears', async () => {
    const pool = create();
    const print = ({ input }) => console.log(input);
    await pool.run(print, { key: 'a', input: 'before' });
    const { heard, listen } = hearing(pool);
    await pool.run(print, { key: 'a', input: 'now' });
    pool.off('output', listen);
    await pool.run(print, { key: 'a', input: 'after' });
    expect(heard).toEqual([['stdout', 'now\n']]);
  });

  test('of more than a message may have is not told, and harms nobody', async () => {
    const pool = create({ maxResultBytes: 100 });
    const { heard } = hearing(pool);
    const print = () => {
      console.log('x'.repeat(2 ** 21));
      console.log('y'.repeat(300_000));
    };
    await pool.run(print, { key: 'a' });
    expect(heard.map(([, text]) => text.length)).toEqual([300_001]);
  });

  test('is what nobody caught, too', async () => {
    const pool = create();
    const { heard } = hearing(pool);
    await pool.run(
      async () => {
        setTimeout(() => {
          throw new Error('late');
        });
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
      { key: 'a' },
    );
    expect(heard[0][0]).toBe('stderr');
    expect(heard[0][1]).toContain('Uncaught in worker: Error: late');
  });
});
