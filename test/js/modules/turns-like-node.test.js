'use strict';
// What runs while import() loads files, and in which order: as in Node.

const { logOf, removeFolders } = require('./support.js');

const LOG = 'const log = (globalThis.log ??= []);';
const F = `export const f = async () => {
  for (const one of globalThis.later) await one;
  return globalThis.log;
};`;

afterEach(removeFolders);

test('what was due before import() of a file comes when Node lets it', async () => {
  await logOf({
    'main.mjs': `${LOG} const begun = Date.now();
      globalThis.later = [
        new Promise((go) => setTimeout(() => go(log.push('timer')), 1)),
      ];
      while (Date.now() - begun < 20);
      later.push(import('./a.mjs')); ${F}`,
    'a.mjs': `${LOG} log.push('file');`,
  });
});

test('an immediate of code before import() of a file', async () => {
  await logOf({
    'main.mjs': `${LOG} globalThis.later = [
        new Promise((go) => setImmediate(() => go(log.push('immediate')))),
        import('./a.mjs'),
      ]; ${F}`,
    'a.mjs': `${LOG} log.push('file');`,
  });
});

test('a timer that is due after the first of several files', async () => {
  await logOf({
    'main.mjs': `${LOG} globalThis.later = [import('./a.mjs')]; ${F}`,
    'a.mjs': `${LOG} log.push('a');
      later.push(new Promise((go) => setTimeout(() => go(log.push('timer')), 1)));
      const begun = Date.now();
      while (Date.now() - begun < 20);
      later.push(import('./b.mjs'));`,
    'b.mjs': `${LOG} log.push('b'); later.push(import('./c.mjs'));`,
    'c.mjs': `${LOG} log.push('c');`,
  });
});

test('a data: URL is asked for its text, unlike a name of CommonJS', async () => {
  await logOf({
    'main.mjs': `${LOG} globalThis.later = [
        import('data:text/javascript,globalThis.log.push("data")'),
        import('./a.cjs'),
        import('node:path').then(() => log.push('built-in')),
      ]; ${F}`,
    'a.cjs': `${LOG} log.push('file');`,
  });
});
