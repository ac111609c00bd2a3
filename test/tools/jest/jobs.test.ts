import { join } from 'node:path';
import { inlineAnswer, moduleAnswer } from './src/jobs';

// Set by tool.mjs.
const runtime = process.env.RUNTIME === 'process' ? 'node' : 'isolate';

test('a function that is sent', async () => {
  expect(await inlineAnswer()).toBe('isolate: 42');
});

test('a module', async () => {
  const path = join(__dirname, 'src/tasks.ts');
  expect(await moduleAnswer(path)).toBe(`${runtime}: sum of 33 is High`);
});
