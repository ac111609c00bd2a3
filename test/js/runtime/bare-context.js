'use strict';

const { webcrypto } = require('node:crypto');
const { readFileSync } = require('node:fs');
const os = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');
const workerThreads = require('node:worker_threads');

const {
  processFacts,
  systemNumbers,
} = require('../../../lib/executors/isolate/process-facts.js');
const { installConstants } = require('../../../src/runtime/globals/names.js');

const GEN = join(__dirname, '../../../src/runtime/gen');
const INSTALL = join(__dirname, '../../../src/runtime/globals/install.js');
const { modules: ABI } = process.versions;
const BUILD = join(__dirname, `../../../build/abi${ABI}`);
const PRESET = process.env.SLOPPY_WORKERS_PRESET ?? 'release';
// The natives under Node's library; `node scripts/build.mjs --tests` makes it.
const natives = require(
  join(BUILD, PRESET, 'sloppy_workers_native_tests.node'),
);
const LIBRARY = JSON.parse(
  readFileSync(
    join(__dirname, '../../../src/runtime/node/groups.json'),
    'utf8',
  ),
);
const BUNDLES = JSON.parse(readFileSync(join(GEN, 'bundles.gen.json'), 'utf8'));

// A clock that only the test moves; timers of equal time keep their order.
class FakeLoop {
  #now = 0;
  #next = 1;
  #timers = new Map();
  #immediates = new Map();

  get now() {
    return this.#now;
  }

  set(ms, repeat, callback) {
    const id = this.#next++;
    this.#timers.set(id, { due: this.#now + ms, ms, repeat, callback, id });
    return id;
  }

  clear(id) {
    this.#timers.delete(id);
  }

  setImmediate(callback) {
    const id = this.#next++;
    this.#immediates.set(id, callback);
    return id;
  }

  clearImmediate(id) {
    this.#immediates.delete(id);
  }

  get pending() {
    return this.#timers.size + this.#immediates.size;
  }

  #polls;

  requestTurn(polls) {
    this.#polls = polls;
    if (this.#immediates.size === 0) this.setImmediate(() => {});
  }

  async #turn() {
    const all = [...this.#immediates.keys()];
    this.#polls?.poll();
    await settle();
    for (const id of all) {
      const callback = this.#immediates.get(id);
      this.#immediates.delete(id);
      callback?.();
      await settle();
    }
    this.#polls?.close();
    await settle();
  }

  /** Runs immediates and every timer due within `ms`, in order. */
  async advance(ms = 0) {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      await this.#turn();
      const due = [...this.#timers.values()]
        .filter((timer) => timer.due <= end)
        .sort((a, b) => a.due - b.due || a.id - b.id)[0];
      if (!due) break;
      this.#now = Math.max(this.#now, due.due);
      if (due.repeat) due.due = this.#now + due.ms;
      else this.#timers.delete(due.id);
      due.callback();
      await settle();
    }
    if (this.#immediates.size > 0) await this.advance(0);
    this.#now = end;
  }
}

// Lets every microtask of the context run, however long the chain.
const settle = () => new Promise((resolve) => setImmediate(resolve));

// V8's lazy data properties do this, but only C++ can make them.
function defineLazy(object, names, enumerable, resolve) {
  // A test may have replaced how the context's arrays are iterated.
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index];
    const settle = (value) =>
      Object.defineProperty(object, name, {
        value,
        writable: true,
        enumerable,
        configurable: true,
      });
    Object.defineProperty(object, name, {
      get() {
        const value = resolve(name);
        settle(value);
        return value;
      },
      set: settle,
      enumerable,
      configurable: true,
    });
  }
}

// V8's serializer, with the results made inside the context.
function cloneInto(context, value, transfer) {
  const { port1, port2 } = new workerThreads.MessageChannel();
  const inner = workerThreads.moveMessagePortToContext(port2, context);
  try {
    port1.postMessage({ value }, transfer);
    return workerThreads.receiveMessageOnPort(inner).message.value;
  } finally {
    port1.close();
  }
}

// install.js with what scripts/lib/bootstrap-bundle.mjs puts into its places.
function installer(context) {
  const constants = installConstants(
    Object.keys(BUNDLES)
      .filter((name) => name.startsWith('node:'))
      .map((name) => name.slice('node:'.length)),
    Object.values(LIBRARY)
      .flat()
      .filter((id) => !id.startsWith('internal/')),
  );
  const text = readFileSync(INSTALL, 'utf8').replace(
    /\b__([A-Z_]+)__\b/g,
    (_, name) => JSON.stringify(constants[name]),
  );
  return vm.runInContext(
    `((module) => {${text}\nreturn module.exports; })({})`,
    context,
    { filename: 'sloppy:install' },
  );
}

/**
 * A context with nothing but ECMAScript and WebAssembly, in which the runtime
 * is installed over a host made of Node's own parts.
 *
 * @returns {{ run: (source: string) => any, context: object, api: object,
 *   output: { fd: number, text: string }[], reported: unknown[],
 *   loop: FakeLoop, compiled: string[], host: object }}
 */
function createBareContext({ overrides = {} } = {}) {
  const context = vm.createContext(Object.create(null));
  const output = [];
  const reported = [];
  const compiled = [];
  const exits = [];
  const loop = new FakeLoop();
  const inside = (source) => vm.runInContext(source, context);
  // Another test of this process may have set --expose-gc.
  inside('delete globalThis.gc');
  const InnerUint8Array = inside('Uint8Array');
  const encoder = new TextEncoder();
  const host = {
    compile(name) {
      compiled.push(name);
      const file = join(GEN, BUNDLES[name] ?? `${ABI}/${name}.gen.js`);
      return vm.runInContext(readFileSync(file, 'utf8'), context, {
        filename: `sloppy:${name}`,
      });
    },
    defineLazy,
    write: (fd, text) => output.push({ fd, text }),
    setTimer: (ms, repeat, callback) => loop.set(ms, repeat, callback),
    clearTimer: (id) => loop.clear(id),
    refTimer() {},
    setImmediate: (callback) => loop.setImmediate(callback),
    clearImmediate: (id) => loop.clearImmediate(id),
    requestTurn: (polls) => loop.requestTurn(polls),
    runInTurn(_frame, callback) {
      try {
        callback();
        return false;
      } catch (error) {
        reported.push(error);
        return true;
      }
    },
    // Node's own order is only where the worker runs it: ticks.test.js.
    nextTick: (callback) => host.queueMicrotask(callback),
    queueMicrotask(callback) {
      const task = inside(
        '(f, report) => Promise.resolve().then(f).catch(report)',
      );
      task(callback, (error) => reported.push(error));
    },
    nowMs: () => loop.now,
    timeOriginMs: 1_700_000_000_000,
    utf8Encode: (text) => new InnerUint8Array(encoder.encode(text)),
    utf8Decode(bytes, fatal, ignoreBOM) {
      try {
        return new TextDecoder('utf-8', { fatal, ignoreBOM }).decode(bytes);
      } catch {
        return undefined;
      }
    },
    randomFill: (bytes) => void webcrypto.getRandomValues(bytes),
    structuredClone: (value, transfer) => cloneInto(context, value, transfer),
    terminateProcess(code) {
      exits.push(code);
      throw new Error('terminated');
    },
    memoryUsage: () => ({ ...process.memoryUsage() }),
    hardwareConcurrency: os.availableParallelism(),
    systemNumbers,
    reportError: (error) => reported.push(error),
    binding: (name) => natives.binding(inside('({})'), name),
    process: {
      ...JSON.parse(processFacts({})),
      env: {},
      release: { name: 'node' },
    },
    workerThreads: {},
    ...overrides,
  };
  const api = installer(context)(host, inside('globalThis'));
  api.define();
  return {
    api,
    compiled,
    context,
    exits,
    host,
    loop,
    output,
    reported,
    run: (source) => vm.runInContext(source, context, { filename: 'user.js' }),
    text: (fd) =>
      output
        .filter((piece) => fd === undefined || piece.fd === fd)
        .map((piece) => piece.text)
        .join(''),
  };
}

module.exports = { createBareContext, settle };
