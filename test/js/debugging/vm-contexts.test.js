'use strict';
// Contexts of node:vm are not told to debuggers, and their code goes on while
// one is attached.

const { attach, endAll, poolOf, workersIn } = require('./attached.js');

afterEach(endAll);

async function lookAround() {
  const { default: vm } = await import('node:vm');
  const context = vm.createContext({ n: 1 });
  const run = (code) => {
    try {
      return vm.runInContext(code, context);
    } catch (error) {
      return error.message;
    }
  };
  return [
    run('console.log("x"); debugger; n + 1'),
    run('throw new Error("y")'),
    run('Promise.reject(1).catch(() => {}); n'),
    run('a b'),
  ];
}

test('a job with contexts goes on while a debugger is attached', async () => {
  const pool = poolOf();
  const { root } = await attach();
  expect(await pool.invoke('crunch', { n: 2 })).toBe(3);
  const [worker] = await workersIn(root);
  await worker.post('Debugger.setPauseOnExceptions', { state: 'all' });
  await worker.post('Debugger.setAsyncCallStackDepth', { maxDepth: 8 });
  worker.on('Debugger.paused', () => worker.post('Debugger.resume'));
  expect(await pool.run(lookAround, { timeoutMs: 60_000 })).toEqual([
    2,
    'y',
    1,
    "Unexpected identifier 'b'",
  ]);
});
