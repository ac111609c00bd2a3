import { expect, test } from 'vitest';
import { inlineAnswer, moduleAnswer } from './src/jobs';

// Set by tool.mjs.
const runtime = process.env.RUNTIME === 'process' ? 'node' : 'isolate';

test('a function that is sent', async () => {
  expect(await inlineAnswer()).toBe('isolate: 42');
});

test('a module', async () => {
  const url = new URL('./src/tasks.js', import.meta.url);
  expect(await moduleAnswer(url)).toBe(`${runtime}: sum of 33 is High`);
});
