import { expect, test } from 'vitest';
import { inlineAnswer, moduleAnswer } from './src/jobs';

test('a function that is sent', async () => {
  expect(await inlineAnswer()).toBe('isolate: 42');
});

test('a module', async () => {
  const url = new URL('./src/tasks.js', import.meta.url);
  expect(await moduleAnswer(url)).toBe('isolate: sum of 33 is High');
});
