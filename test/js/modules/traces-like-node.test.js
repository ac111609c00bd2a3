'use strict';
// What node:diagnostics_channel is told of import() and require(): as in Node.

const { logOf, removeFolders } = require('./support.js');

const HEAR = `
  import { tracingChannel } from 'node:diagnostics_channel';
  import { basename } from 'node:path';
  const log = (globalThis.log ??= []);
  const kinds = new Map();
  const shown = (value) => typeof value === 'string' ? basename(value) : value;
  function hear(name) {
    const handlers = {};
    for (const at of ['start', 'end', 'asyncStart', 'asyncEnd', 'error']) {
      handlers[at] = (event) => {
        if (!kinds.has(event)) kinds.set(event, kinds.size);
        const { result, error, ...rest } = event;
        const entries = Object.entries(rest).map(([key, value]) => [key, shown(value)]);
        log.push([
          name, at, kinds.get(event), entries, Object.getPrototypeOf(event),
          error?.code ?? error?.message, 'result' in event, typeof result,
          Object.keys(result ?? {}).slice(0, 3),
        ]);
      };
    }
    const channel = tracingChannel('module.' + name);
    channel.subscribe(handlers);
    return () => channel.unsubscribe(handlers);
  }`;

const FILES = {
  'a.cjs': `exports.a = 1; require('./b.cjs'); require('node:path');`,
  'b.cjs': `exports.b = 2;`,
  'bad.cjs': `throw new Error('of bad.cjs');`,
  'm.mjs': `import './b.cjs'; export const m = 1;`,
  'bad.mjs': `throw new Error('of bad.mjs');`,
};

afterEach(removeFolders);

const main = (text) => ({ ...FILES, 'main.mjs': `${HEAR}\n${text}` });

test('require() of files, built-ins and what is not there', async () => {
  await logOf(
    main(`
      import { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      export async function f() {
        require('./b.cjs');
        const stop = hear('require');
        for (const id of ['./a.cjs', './a.cjs', 'path', './bad.cjs', 'not-there', '']) {
          try { log.push(typeof require(id)); } catch (error) { log.push(error.code ?? error.message); }
        }
        stop();
        require('node:url');
        return log;
      }`),
  );
});

test('import() in its turns', async () => {
  await logOf(
    main(`
      export async function f() {
        const stop = hear('import');
        let turns = 0;
        const count = () => { turns += 1; if (turns < 500) queueMicrotask(count); };
        for (const id of ['./m.mjs', './m.mjs', 'node:path', './bad.mjs', 'not-there', './none.mjs']) {
          const loading = import(id);
          log.push('called');
          try { log.push(Object.keys(await loading).slice(0, 2)); }
          catch (error) { log.push(error.code ?? error.message); }
        }
        stop();
        await import('node:url');
        return log;
      }`),
  );
});

test('import() of CommonJS is a require(), and turns are as without', async () => {
  await logOf(
    main(`
      export async function f() {
        hear('require');
        hear('import');
        const step = async (name, count) => {
          for (let i = 0; i < count; i += 1) await undefined;
          log.push(name + ' ' + count);
        };
        const all = [import('node:path').then(() => log.push('path'))];
        for (let count = 1; count < 12; count += 1) all.push(step('turn', count));
        await Promise.all(all);
        await import('./a.cjs');
        await import('./bad.cjs').catch(({ message }) => log.push(message));
        return log;
      }`),
  );
});

test('a program that replaces what loads is told of too', async () => {
  await logOf(
    main(`
      import Module, { createRequire } from 'node:module';
      const require = createRequire(import.meta.url);
      export async function f() {
        const { _load } = Module;
        Module._load = function (...args) {
          log.push(['load', basename(args[0])]);
          return _load.apply(this, args);
        };
        hear('require');
        require('./b.cjs');
        log.push('imported');
        await import('./a.cjs');
        Module._load = _load;
        return log;
      }`),
  );
});
