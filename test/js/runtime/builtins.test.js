'use strict';
// Which built-in modules a worker has, and what those of the system say.

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { createBareContext } = require('./bare-context.js');
const { api, codeOf, run } = require('./builtins-support.js');

describe('the table of built-ins', () => {
  test('with and without the prefix it is one object', () => {
    for (const name of ['path', 'util', 'events', 'fs', 'buffer']) {
      expect(api.builtin(name)).toBe(api.builtin(`node:${name}`));
    }
    expect(
      run(
        `return require('buffer').Buffer === Buffer && require('process') === process`,
      ),
    ).toBe(true);
    expect(
      run(
        `return require('url').URL === URL && require('timers').setTimeout === setTimeout`,
      ),
    ).toBe(true);
    expect(
      run(
        `return require('console') === console && require('perf_hooks').performance === performance`,
      ),
    ).toBe(true);
  });

  test('what is a built-in and what works', () => {
    expect(
      ['fs', 'node:test', 'path', 'node:nope', 'stream/web'].map((x) =>
        api.isBuiltin(x),
      ),
    ).toEqual([true, true, true, true, true]);
    expect(
      ['test', 'lodash', './fs', 'nope'].map((x) => api.isBuiltin(x)),
    ).toEqual([false, false, false, false]);
    expect(
      ['fs', 'node:path', 'zlib', 'http'].map((x) => api.isSupported(x)),
    ).toEqual([false, true, true, false]);
    expect(
      run(
        `return require('module').isBuiltin('fs') && !require('module').isBuiltin('test')`,
      ),
    ).toBe(true);
  });

  test('the question compiles no bundle', () => {
    const other = createBareContext();
    const before = [...other.compiled];
    for (const name of ['lodash', '@scope/part', 'fs', 'test', 'node:nope']) {
      other.api.isBuiltin(name);
      other.api.isSupported(name);
    }
    expect(other.compiled).toEqual(before);
  });

  test("answers as Node's own for every name that Node has", () => {
    const { builtinModules, isBuiltin } = require('node:module');
    const names = builtinModules
      .map((name) => name.replace('node:', ''))
      .filter((name) => !name.startsWith('_') && api.isBuiltin(`node:${name}`));
    expect(names.length).toBeGreaterThan(40);
    for (const name of names) {
      expect([name, api.isBuiltin(name)]).toEqual([name, isBuiltin(name)]);
    }
  });

  test('a given one replaces a bundle', () => {
    const other = createBareContext();
    other.api.provide('node:worker_threads', { parentPort: 5 });
    expect(other.api.builtin('worker_threads').parentPort).toBe(5);
    other.api.provide('node:mine', 6);
    expect(other.api.builtin('node:mine')).toBe(6);
  });
});

describe('built-ins that need Node', () => {
  test('load, can be extended, and throw when they are called', () => {
    expect(
      run(`
        const fs = require('fs');
        const { Agent } = require('http');
        class Mine extends Agent {}
        const out = [typeof fs.readFileSync, typeof fs.promises.readFile, typeof Mine, fs.nothing];
        for (const call of [() => fs.readFileSync('x'), () => fs.promises.readFile('x'), () => new Mine(),
          () => require('child_process').exec('x'), () => require('net').connect()]) {
          try { call(); out.push('no error'); } catch (e) { out.push(e.code); }
        }
        return out.join()`),
    ).toBe(
      [
        'function',
        'function',
        'function',
        '',
        ...Array(5).fill(Code.StartupFailed),
      ].join(),
    );
  });

  test('the error names the module, the importer and the way out', () => {
    const message = run(
      `try { require('fs').readFileSync() } catch (e) { return e.message }`,
    );
    expect(message).toMatch(
      /^SLOPPY_E_\w+: node:fs \(readFileSync\), imported by importer\.js, is not available in a worker isolate; /,
    );
    expect(message).toMatch("runtime: 'thread'");
    expect(message).toMatch(/host function/);
  });

  test('a name that nobody knows fails at once', () => {
    expect(codeOf(() => api.builtin('node:nope', 'x.js'))).toBe(
      'ERR_UNKNOWN_BUILTIN_MODULE',
    );
  });

  test('every built-in of this Node is either offered or stood in for', () => {
    const { builtinModules } = require('node:module');
    const missing = builtinModules
      .filter((name) => !name.startsWith('_'))
      .filter((name) => codeOf(() => api.builtin(name, 'x')) !== undefined);
    expect(missing).toEqual([]);
  });
});

describe('process and the rest', () => {
  test('process', async () => {
    expect(
      run(`return [process.platform, process.pid, process.version, process.cwd(), typeof process.versions.v8,
        process.hrtime().length, typeof process.hrtime.bigint(), process.memoryUsage().heapUsed > 0,
        JSON.stringify(process.env), process.uptime() >= 0, String(process), process.stdout.isTTY].join('|')`),
    ).toBe(
      `${process.platform}|${process.pid}|${process.version}|${process.cwd()}|string|2|bigint|true|{}|true|[object process]|false`,
    );
    const fresh = createBareContext();
    fresh.context.log = [];
    fresh.run(`
      process.nextTick((x) => log.push(x), 'tick'); Promise.resolve().then(() => log.push('then'));
      process.stdout.write('out'); process.stderr.write(new Uint8Array([101]));
      process.on('exit', (code) => log.push('exit ' + code));`);
    await fresh.loop.advance();
    expect(() => fresh.run(`process.exit(3)`)).toThrow('terminated');
    expect([...fresh.context.log]).toEqual(['tick', 'then', 'exit 3']);
    expect(fresh.exits).toEqual([3]);
    expect(fresh.output).toEqual([
      { fd: 1, text: 'out' },
      { fd: 2, text: 'e' },
    ]);
    expect(codeOf(() => run(`process.chdir('/')`))).toBe(Code.StartupFailed);
  });

  test('os, tty, vm, worker_threads', () => {
    expect(
      run(`const os = require('os'); return [os.EOL, os.platform(), os.cpus().length === navigator.hardwareConcurrency, os.homedir(), require('tty').isatty(1),
        require('vm').runInThisContext('1 + 1'), require('worker_threads').isMainThread, require('worker_threads').parentPort].join('|')`),
    ).toBe(`\n|${process.platform}|true|/|false|2|false|`);
  });

  test('AsyncResource binds, a store says that it cannot follow', () => {
    expect(
      run(
        `const { AsyncResource } = require('async_hooks'); return AsyncResource.bind((x) => x + 1)(1)`,
      ),
    ).toBe(2);
    expect(
      codeOf(() =>
        run(
          `new (require('async_hooks').AsyncLocalStorage)().run(1, () => {})`,
        ),
      ),
    ).toBe(Code.StartupFailed);
  });

  test('AsyncLocalStorage over the host\u2019s continuation', () => {
    let frame;
    const host = {
      getContinuation: () => frame,
      setContinuation: (next) => {
        frame = next;
      },
    };
    const fresh = createBareContext({ overrides: host });
    fresh.context.als = new (fresh.api.builtin(
      'async_hooks',
    ).AsyncLocalStorage)();
    expect(
      fresh.run(`[als.getStore(), als.run(5, () => als.run(6, () => als.getStore()) + als.getStore()), als.getStore(),
        als.run(1, () => als.exit(() => als.getStore()))].join()`),
    ).toBe(',11,,');
  });

  test('diagnostics_channel', () => {
    expect(
      run(`
        const dc = require('diagnostics_channel'), log = [];
        const f = (m, n) => log.push(n + m); dc.subscribe('c', f);
        dc.channel('c').publish(1); dc.unsubscribe('c', f); dc.channel('c').publish(2);
        const t = dc.tracingChannel('t'); t.subscribe({ start: () => log.push('s'), end: () => log.push('e'), error: () => log.push('x') });
        t.traceSync(() => log.push('run')); try { t.traceSync(() => { throw 1; }); } catch { log.push('thrown'); }
        return [...log, dc.hasSubscribers('c')].join()`),
    ).toBe('c1,s,run,e,s,x,e,thrown,false');
  });
});
