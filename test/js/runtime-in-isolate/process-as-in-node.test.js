'use strict';

// Odd arguments of `process`, of timers and of what makes modules.

const { WorkerPool } = require('../../../lib/index.js');
const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'a warning is told of in the next tick': async () => {
    const process = (await import('node:process')).default;
    const log = [];
    const note = ({ message }) => log.push(message);
    process.on('warning', note);
    process.emitWarning('a text');
    process.emitWarning(new Error('an error'));
    process.nextTick(() => log.push('tick'));
    log.push('returned');
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('warning', note);
    return log;
  },
  'what prints warnings is a listener, and may be removed': async () => {
    const process = (await import('node:process')).default;
    const printers = process.listeners('warning');
    const log = printers.map(({ name, length }) => [name, length]);
    process.removeAllListeners('warning');
    log.push(process.listenerCount('warning'));
    const note = ({ message }) => log.push(message);
    process.once('warning', note);
    process.emitWarning('unprinted');
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const printer of printers) process.on('warning', printer);
    return [log, process.eventNames().includes('warning')];
  },
  'what a warning may be': async () => {
    const process = (await import('node:process')).default;
    const log = [];
    const note = (warning) =>
      log.push([
        ...[warning.name, warning.message, warning.code, warning.detail],
        Object.keys(warning),
        warning.stack.includes('emitWarning'),
      ]);
    process.on('warning', note);
    const from = () => {};
    const kinds = [
      ...[[], [undefined, 'C'], ['T', 'C'], ['T', ''], [''], ['T', from]],
      ...[['T', 5], [5], [null], [[]], ['T', null], ['T', 'C', from], [from]],
      ...[[{}], [{ type: 'T', code: 'C', detail: 'd' }], [{ type: 5 }]],
      ...[[{ code: 5 }], [{ detail: 5 }], [{ type: '', ctor: from }]],
    ];
    for (const values of kinds) {
      try {
        process.emitWarning('text', ...values);
      } catch ({ code, message }) {
        log.push([code, message]);
      }
    }
    await new Promise(setImmediate);
    process.noDeprecation = true;
    process.emitWarning('silent', 'DeprecationWarning');
    process.noDeprecation = false;
    await new Promise(setImmediate);
    process.off('warning', note);
    return log;
  },
  'a deprecation that is to be thrown': async () => {
    const process = (await import('node:process')).default;
    const log = [];
    const note = ({ message }) => log.push(['warning', message]);
    const caught = ({ message, code }) => log.push(['caught', message, code]);
    process.on('warning', note);
    process.on('uncaughtException', caught);
    process.throwDeprecation = true;
    process.emitWarning('first');
    process.emitWarning('second', 'DeprecationWarning', 'DEP1');
    log.push('returned');
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.throwDeprecation = false;
    process.off('warning', note);
    process.off('uncaughtException', caught);
    return log;
  },
  'the environment keeps texts': async () => {
    const { env } = (await import('node:process')).default;
    const name = 'SLOPPY_ODD';
    const values = [5, null, undefined, true, 1n, { toString: () => 'made' }];
    const form = { configurable: true, writable: true, enumerable: true };
    const results = values.map((value) => {
      env[name] = value;
      return [env[name], Object.keys(env).includes(name)];
    });
    for (const work of [
      () => delete env[name],
      () => delete env[name],
      () => env[name],
      () => {
        env[name] = Symbol('value');
      },
      () => {
        env[Symbol('name')] = 1;
      },
      () => Object.defineProperty(env, name, { ...form, value: 7 })[name],
      () => Object.defineProperty(env, name, { value: 7 }),
      () => Object.defineProperty(env, name, { get: () => 7 }),
      () => Object.getOwnPropertyDescriptor(env, name),
      () => env.toString === Object.prototype.toString,
      () => ({ ...env })[name],
      () => Object.preventExtensions(env),
      () => delete env[name],
    ]) {
      try {
        results.push(work());
      } catch ({ name: kind, message, code }) {
        results.push([kind, message, code]);
      }
    }
    return results;
  },
  'a part of an argument is a property': async () => {
    const process = (await import('node:process')).default;
    try {
      return process.cpuUsage({ user: 'text', system: 1 });
    } catch ({ code, message }) {
      return [code, message];
    }
  },
  'what the process and the thread have used': async () => {
    const process = (await import('node:process')).default;
    const used = ({ user, system }) => user + system;
    const shown = (of) => {
      const { name, length } = process[of];
      const keys = Object.keys(process[of]());
      return [name, length, Object.hasOwn(process[of], 'prototype'), keys];
    };
    const log = [shown('cpuUsage'), shown('resourceUsage')];
    const all = process.resourceUsage();
    log.push(Object.values(all).every((each) => Number.isInteger(each)));
    const mb = process.memoryUsage.rss() / 2 ** 20;
    log.push(all.maxRSS / 1024 > mb / 2, all.maxRSS / 1024 < mb * 100);
    const before = all.userCPUTime + all.systemCPUTime;
    log.push(before <= used(process.cpuUsage()));
    if (process.threadCpuUsage !== undefined) {
      log.push(shown('threadCpuUsage'));
      const own = process.threadCpuUsage();
      log.push(used(own) <= used(process.cpuUsage()));
      while (used(process.threadCpuUsage(own)) === 0);
    }
    return log;
  },
  'process and Buffer are accessors of the global object': async () => {
    const kept = {
      process: (await import('node:process')).default,
      Buffer: (await import('node:buffer')).Buffer,
    };
    const shown = (name) => {
      const own = Object.getOwnPropertyDescriptor(globalThis, name);
      const { get, set, ...flags } = own;
      return [get, set].map((each) => [
        ...[each?.name, each?.length, 'prototype' in (each ?? {}), flags],
        Object.getOwnPropertyNames(each ?? {}),
      ]);
    };
    const log = [];
    for (const [name, value] of Object.entries(kept)) {
      const { get, set } = Object.getOwnPropertyDescriptor(globalThis, name);
      log.push(shown(name), get?.call(undefined) === value);
      globalThis[name] = 'other';
      log.push(globalThis[name], shown(name), get?.call(5));
      log.push(
        (await import(`node:${name.toLowerCase()}`)).default !== 'other',
      );
      set?.call(null, undefined);
      log.push(typeof globalThis[name]);
      globalThis[name] = value;
      log.push(globalThis[name] === value, name in globalThis);
      log.push(Object.keys(globalThis).includes(name));
    }
    return log;
  },
  'an earlier usage is looked at': async () => {
    const process = (await import('node:process')).default;
    const { cpuUsage, threadCpuUsage = cpuUsage } = process;
    const given = [
      ...[1, 'text', true, [], () => {}, {}, { user: 1 }, { system: 1 }],
      ...[
        { user: -1, system: 1 },
        { user: 1, system: -1 },
      ],
      ...[
        { user: Number.NaN, system: 1 },
        { user: 1, system: 1 / 0 },
      ],
      ...[
        { user: '1', system: 1 },
        { user: 1, system: '1' },
      ],
      ...[
        { user: 2 ** 53, system: 1 },
        { user: 1n, system: 1 },
      ],
    ];
    return given.flatMap((each) =>
      [cpuUsage, threadCpuUsage].map((work) => {
        try {
          return Object.keys(work(each));
        } catch (error) {
          const { name, code, message } = error;
          return [name, code, message];
        }
      }),
    );
  },
  'a disabled store is gone for what has captured it': async () => {
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const one = new AsyncLocalStorage();
    const other = new AsyncLocalStorage();
    const log = [];
    const note = (at) => log.push([at, one.getStore(), other.getStore()]);
    other.run('other', () => {
      one.enterWith(5);
      setTimeout(note, 1, 'timer');
      one.disable();
      note('now');
    });
    note('outside');
    one.run(6, () => {
      note('again');
      setTimeout(note, 3, 'late');
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    return log;
  },
  'what a process is shown as': async () => {
    const { inspect } = (await import('node:util')).default;
    const process = (await import('node:process')).default;
    process.on('one', () => {});
    return inspect(process).slice(0, 'process {'.length);
  },
  'exit codes and times are checked': async () => {
    const process = (await import('node:process')).default;
    const odd = [null, undefined, '3', 5, '', 'x', 5.5, {}, Number.NaN, true];
    const tell = (work) => {
      try {
        return [work()];
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    };
    const codes = [...odd, '0x10', 2 ** 40, -1].map((code) =>
      tell(() => {
        process.exitCode = code;
        return process.exitCode;
      }),
    );
    process.exitCode = undefined;
    const times = [[1], [1, 2, 3], 5, 'x'].map((time) =>
      tell(() => process.hrtime(time)),
    );
    return [codes, times];
  },
  'timers and immediates are active as long as they hold': async () => {
    const { default: process } = await import('node:process');
    const log = [];
    const note = (at) => {
      const names = process.getActiveResourcesInfo();
      const count = (name) => names.filter((each) => each === name).length;
      log.push([at, count('Timeout'), count('Immediate')]);
    };
    await new Promise((resolve) => setImmediate(resolve));
    note('nothing');
    const long = setTimeout(() => {}, 1e6);
    note('one');
    long.unref();
    long.unref();
    note('unref');
    long.ref();
    long.refresh();
    note('ref');
    clearTimeout(long);
    long.ref();
    note('cleared');
    setImmediate(() => {}).unref();
    const immediate = setImmediate(() => {});
    note('immediates');
    clearImmediate(immediate);
    note('cleared');
    await new Promise((resolve) => {
      setTimeout(() => {
        note('in its callback');
        resolve();
      }, 1);
    });
    await new Promise((resolve) => setImmediate(resolve));
    note('after');
    let left = 3;
    await new Promise((resolve) => {
      const each = setInterval(() => {
        note('interval');
        left -= 1;
        if (left > 0) return;
        clearInterval(each);
        note('cleared');
        resolve();
      }, 1);
    });
    const { setTimeout: later } = await import('node:timers/promises');
    const waiting = later(1);
    note('promised');
    await waiting;
    await new Promise((resolve) => setImmediate(resolve));
    note('kept');
    return log;
  },
  'members that cannot be deleted, and names of features': async () => {
    const { default: process } = await import('node:process');
    const own = Object.getOwnPropertyDescriptor(process, 'exitCode');
    return [
      [own.configurable, own.enumerable, Object.keys(process.features)],
      [typeof process.umask(), process.getActiveResourcesInfo.length],
    ];
  },
  'methods of handles do nothing for what is no handle': async () => {
    const handles = [setTimeout(() => {}, 1), setImmediate(() => {})];
    const methods = ['ref', 'unref', 'hasRef', 'refresh', 'close'];
    methods.push(Symbol.toPrimitive);
    const log = [];
    for (const handle of handles) {
      for (const name of methods) {
        const other = {};
        const answer = handle[name]?.call(other);
        log.push([String(name), answer === other, typeof answer]);
        try {
          log.push(handle[name]?.call(undefined));
        } catch (error) {
          log.push(error.name);
        }
      }
    }
    return log;
  },
  'an immediate that is done holds nothing': async () => {
    const log = [];
    const cleared = setImmediate(() => {});
    clearImmediate(cleared);
    log.push(cleared.hasRef(), cleared.ref().hasRef());
    await new Promise((resolve) => {
      const running = setImmediate(() => {
        log.push(running.hasRef(), running.ref().hasRef());
        resolve();
      });
      log.push(running.hasRef(), running.unref().hasRef());
      log.push(running.ref().hasRef());
    });
    return log;
  },
  'members of timers that packages change': async () => {
    const log = [];
    const once = setTimeout(() => {
      log.push('once');
      if (once._repeat) clearInterval(once);
      else once._repeat = 1;
    }, 1);
    const made = [
      setInterval(() => {
        log.push('idle');
        made[0]._idleTimeout = -1;
      }, 2),
      setInterval(() => {
        log.push('null');
        made[1]._onTimeout = null;
      }, 3),
      setInterval(() => {
        log.push('repeat');
        made[2]._repeat = null;
      }, 4),
    ];
    const kept = setTimeout(() => log.push('never'), 1000);
    log.push([kept._idleTimeout, kept._repeat, typeof kept._onTimeout]);
    log.push([made[0]._repeat, kept._destroyed]);
    clearTimeout(kept);
    log.push([kept._idleTimeout, kept._onTimeout, kept._destroyed]);
    await new Promise((resolve) => setTimeout(resolve, 60));
    return [log.length, log.sort(), made.map((each) => each._destroyed)];
  },
  'createRequire and vm refuse what they cannot take': async () => {
    const { createRequire } = (await import('node:module')).default;
    const vm = (await import('node:vm')).default;
    return [
      ...['x', 5, {}, undefined, new URL('http://x/')].map(
        (from) => () => createRequire(from),
      ),
      ...['x', undefined, null].map((object) => () => vm.isContext(object)),
      () => vm.isContext({}),
      () => new vm.Script('1', { filename: 5 }),
      () => Object.keys(new vm.Script('1')),
      () => new vm.Script('1\n//# sourceMappingURL=a.map').sourceMapURL,
    ].map((work) => {
      try {
        return work();
      } catch ({ name, message, code }) {
        return [name, message, code];
      }
    });
  },
});

test('a warning whose printer was removed is not printed', async () => {
  const pool = WorkerPool.create('unprinted', { workers: 1 });
  const printed = await pool.run(async () => {
    const written = [];
    const { write } = process.stderr;
    process.stderr.write = (text) => written.push(text);
    const warn = async (text) => {
      process.emitWarning(text);
      await new Promise((resolve) => setTimeout(resolve, 1));
    };
    await warn('first');
    process.removeAllListeners('warning');
    await warn('second');
    process.stderr.write = write;
    return written;
  });
  await pool.stop();
  expect(printed).toEqual([
    expect.stringMatching(/^\(node:\d+\) Warning: first\n$/),
  ]);
});
