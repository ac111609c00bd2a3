'use strict';
// The compiled runtime, which the first process of a sandbox tells the later ones.

const { describeHere, sandboxes, started } = require('./support.js');
const { OwnCode } = require('../../../../lib/executors/sandbox/own-code.js');

const answer = ({ input }) => input + 1;

test('one process at a time is asked, and the next one if it has ended', () => {
  const code = new OwnCode();
  expect(code.known.size).toBe(0);
  expect(code.ask()).toBe(true);
  expect(code.ask()).toBe(false);
  code.answer(undefined);
  expect(code.ask()).toBe(true);
  code.answer(new Map([[3, Buffer.of(1)]]));
  expect(code.ask()).toBe(false);
  expect([...code.known.keys()]).toEqual([3]);
});

describeHere('the code of the runtime', () => {
  const createPool = sandboxes();
  const run = (sandbox) =>
    createPool({ sandbox: { spares: 0, ...sandbox } }).run(answer, {
      input: 1,
    });

  test.each([false, true])(
    'is told by one process, with jit: %p',
    async (jit) => {
      const code = OwnCode.of(jit);
      await expect(run({ jit })).resolves.toBe(2);
      expect(code.known.size).toBeGreaterThan(0);
      const before = code.known;
      await expect(run({ jit })).resolves.toBe(2);
      expect(code.known).toBe(before);
    },
  );

  test('a process that ends first tells nothing', async () => {
    const code = OwnCode.of(false);
    code.answer(undefined);
    const pool = createPool({ sandbox: { spares: 0 } });
    const running = pool
      .run(answer, { input: 1 })
      .catch(({ code: its }) => its);
    process.kill(started().at(-1).pid, 'SIGKILL');
    expect(await running).toBe('SLOPPY_E_WORKER_CRASHED');
    await expect(run({})).resolves.toBe(2);
    expect(code.known.size).toBeGreaterThan(0);
  });

  test('that of another V8 is refused, and does no harm', async () => {
    const code = OwnCode.of(false);
    const { known } = code;
    await run({ jit: true });
    try {
      code.answer(OwnCode.of(true).known);
      await expect(run({})).resolves.toBe(2);
      code.answer(
        new Map([...known].map(([number]) => [number, Buffer.alloc(1000, 7)])),
      );
      await expect(run({})).resolves.toBe(2);
    } finally {
      code.answer(known);
    }
  });
});
