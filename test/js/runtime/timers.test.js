'use strict';

const { createBareContext } = require('./bare-context.js');

async function trace(source, ms = 0) {
  const bare = createBareContext();
  bare.context.log = [];
  bare.run(source);
  await bare.loop.advance(ms);
  return { bare, log: [...bare.context.log] };
}

describe('timers', () => {
  test('timeouts fire by time, then in the order of their making', async () => {
    const { log } = await trace(
      `setTimeout(() => log.push('b'), 20);
       setTimeout(() => log.push('a'), 10);
       setTimeout(() => log.push('c'), 20);
       setTimeout(() => log.push('zero'));
       setImmediate(() => log.push('now'));
       queueMicrotask(() => log.push('micro'));
       Promise.resolve().then(() => log.push('promise'));
       log.push('sync');`,
      20,
    );
    expect(log).toEqual([
      'sync',
      'micro',
      'promise',
      'now',
      'zero',
      'a',
      'b',
      'c',
    ]);
  });

  test('arguments are passed on and `this` is the handle', async () => {
    const { log } = await trace(
      `const t = setTimeout(function (...a) { log.push(this === t, ...a); }, 1, 2, 3);
       setImmediate((x) => log.push(x), 'im');`,
      1,
    );
    expect(log).toEqual(['im', true, 2, 3]);
  });

  test('delays outside the range mean one millisecond', async () => {
    const { log } = await trace(
      `for (const d of [-5, NaN, Infinity, 2 ** 31, 'x', undefined, 0])
         setTimeout(() => log.push(performance.now()), d);
       setTimeout(() => log.push('last'), 2 ** 31 - 1);`,
      5,
    );
    expect(log).toEqual([1, 1, 1, 1, 1, 1, 1]);
  });

  test('an interval repeats until it is cleared from inside', async () => {
    const { bare, log } = await trace(
      `let n = 0;
       const i = setInterval(() => { log.push(++n); if (n === 3) clearInterval(i); }, 5);`,
      100,
    );
    expect(log).toEqual([1, 2, 3]);
    expect(bare.loop.pending).toBe(0);
  });

  test('clearing takes handles, numbers and numeric strings', async () => {
    const { log } = await trace(
      `const a = setTimeout(() => log.push('a'), 1);
       const b = setTimeout(() => log.push('b'), 1);
       const c = setTimeout(() => log.push('c'), 1);
       const d = setImmediate(() => log.push('d'));
       clearTimeout(a); clearTimeout(+b); clearInterval(String(+c));
       clearImmediate(d);
       clearTimeout(undefined); clearTimeout({}); clearTimeout(99999); clearImmediate(1);`,
      5,
    );
    expect(log).toEqual([]);
  });

  test('handles are Node-like', async () => {
    const { bare, log } = await trace(
      `const t = setTimeout(() => log.push('t'), 10);
       log.push(t.constructor.name, t.hasRef(), t.unref() === t, t.hasRef(),
         t.ref().hasRef(), typeof t[Symbol.toPrimitive]());
       globalThis.t = t;`,
      8,
    );
    expect(log).toEqual(['Timeout', true, true, false, true, 'number']);
    bare.run(`t.refresh()`);
    await bare.loop.advance(8);
    expect(bare.context.log).not.toContain('t');
    await bare.loop.advance(2);
    expect(bare.context.log).toContain('t');
    bare.run(`t.refresh(); t.close()`);
    await bare.loop.advance(20);
    expect(bare.context.log.filter((x) => x === 't')).toHaveLength(1);
  });

  test('a timeout that has fired is forgotten', async () => {
    const cleared = [];
    const bare = createBareContext({
      overrides: { clearTimer: (id) => cleared.push(id) },
    });
    bare.run(`globalThis.t = setTimeout(() => {}, 1); globalThis.n = +t;`);
    await bare.loop.advance(1);
    bare.run(`clearTimeout(t); clearTimeout(n); t.unref(); t.close();`);
    expect(cleared).toEqual([]);
    bare.run(`clearTimeout(setTimeout(() => {}, 1))`);
    expect(cleared).toHaveLength(1);
  });

  test('a callback must be a function', () => {
    const bare = createBareContext();
    for (const call of [
      'setTimeout',
      'setInterval',
      'setImmediate',
      'queueMicrotask',
    ]) {
      const code = bare.run(`try { ${call}(5) } catch (e) { e.code + e.name }`);
      expect(code).toBe('ERR_INVALID_ARG_TYPETypeError');
    }
  });

  test('the exception of a microtask is reported, not a rejection', async () => {
    const { bare } = await trace(`queueMicrotask(() => { throw 'oops'; })`);
    expect(bare.reported).toEqual(['oops']);
  });

  test('timers/promises', async () => {
    const bare = createBareContext();
    const api = bare.api.builtin('node:timers/promises');
    bare.context.api = api;
    bare.context.log = [];
    bare.run(`
      api.setTimeout(5, 'v').then((v) => log.push(v));
      api.setImmediate('i').then((v) => log.push(v));
      const c = new AbortController();
      api.setTimeout(50, 0, { signal: c.signal }).catch((e) => log.push(e.name, e.code));
      setTimeout(() => c.abort(), 8);
      (async () => { for await (const v of api.setInterval(10, 'tick')) { log.push(v); if (log.length > 6) break; } })();
    `);
    await bare.loop.advance(40);
    expect([...bare.context.log]).toEqual([
      'i',
      'v',
      'AbortError',
      'ABORT_ERR',
      'tick',
      'tick',
      'tick',
    ]);
    expect(bare.loop.pending).toBe(0);
  });

  test('util.promisify(setTimeout)', async () => {
    const bare = createBareContext();
    bare.context.util = bare.api.builtin('util');
    bare.run(`globalThis.p = util.promisify(setTimeout)(5, 'x')`);
    await bare.loop.advance(5);
    expect(await bare.context.p).toBe('x');
  });
});
