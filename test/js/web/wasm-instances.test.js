'use strict';

/* global answering, thrown, rejected */
const { standard } = require('./support.js');

standard('WebAssembly: instances', {
  'instantiate: bytes give both, a module gives the instance': [
    async () => {
      const bytes = answering();
      const both = await WebAssembly.instantiate(bytes, undefined);
      const module = await WebAssembly.compile(bytes.buffer);
      const instance = await WebAssembly.instantiate(module, {});
      const direct = new WebAssembly.Instance(module);
      const { exports } = instance;
      return [
        Object.keys(both).sort(),
        both.instance.exports.g(),
        instance instanceof WebAssembly.Instance,
        exports.g(),
        direct.exports.g(),
        Object.isFrozen(exports),
        Object.getPrototypeOf(exports),
        exports.g.name,
        exports.g.length,
        thrown(() => new exports.g()),
        instance.exports === exports,
      ];
    },
    [
      ['instance', 'module'],
      42,
      true,
      42,
      42,
      true,
      null,
      '0',
      0,
      'TypeError',
      true,
    ],
  ],
  'wrong arguments reject, wrong bytes too': [
    async () => {
      const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      const importing = new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102,
        0, 0,
      ]);
      return [
        await rejected(WebAssembly.compile()),
        await rejected(WebAssembly.compile('x')),
        await rejected(WebAssembly.compile(new Uint8Array())),
        await rejected(WebAssembly.instantiate()),
        await rejected(WebAssembly.instantiate(bytes, 5)),
        await rejected(WebAssembly.instantiate(importing)),
        await rejected(WebAssembly.instantiate(importing, {})),
        await rejected(WebAssembly.instantiate(importing, { m: {} })),
        await rejected(WebAssembly.instantiate(importing, { m: { f: 1 } })),
        thrown(
          () =>
            new WebAssembly.Instance(new WebAssembly.Module(importing), {
              m: { f: {} },
            }),
        ),
        thrown(() => new WebAssembly.Instance({})),
      ];
    },
    [
      'TypeError',
      'TypeError',
      'CompileError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'LinkError',
      'LinkError',
      'LinkError',
      'TypeError',
    ],
  ],
  'the bytes are taken when it is called': [
    async () => {
      const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      const compiling = WebAssembly.compile(bytes);
      bytes.fill(0);
      return (await compiling) instanceof WebAssembly.Module;
    },
    true,
  ],
  'a trap is a RuntimeError, the errors are Errors': [
    () => {
      const bytes = new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1,
        103, 0, 0, 10, 5, 1, 3, 0, 0, 11,
      ]);
      const { exports } = new WebAssembly.Instance(
        new WebAssembly.Module(bytes),
      );
      return [
        thrown(exports.g),
        ['CompileError', 'LinkError', 'RuntimeError'].map((name) => {
          const error = new WebAssembly[name]('m', { cause: 1 });
          return [
            error instanceof Error,
            error.name,
            error.message,
            error.cause,
            Object.getPrototypeOf(WebAssembly[name]) === Error,
          ];
        }),
      ];
    },
    [
      'RuntimeError',
      ['CompileError', 'LinkError', 'RuntimeError'].map((name) => [
        true,
        name,
        'm',
        1,
        true,
      ]),
    ],
  ],
  'what compiling ends with does not wait for a timer': [
    async () => {
      const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      const module = new WebAssembly.Module(bytes);
      const log = [];
      const keep = (error) => log.push(error?.name ?? 'done');
      const timer = setTimeout(() => log.push('timer'), 20_000);
      // The continuation runs when the worker is about to wait for the timer.
      await null;
      await null;
      await WebAssembly.instantiate(module, null).then(keep, keep);
      clearTimeout(timer);
      return log;
    },
    ['TypeError'],
  ],
  "a memory's descriptor is read in the standard's order, each value once": [
    () => {
      const order = [];
      const member = (name, value) => ({
        get() {
          order.push(name);
          return {
            valueOf() {
              order.push(`value of ${name}`);
              return value;
            },
          };
        },
      });
      new WebAssembly.Memory(
        Object.defineProperties(
          {},
          { maximum: member('maximum', 2), initial: member('initial', 1) },
        ),
      );
      return order;
    },
    ['initial', 'value of initial', 'maximum', 'value of maximum'],
  ],
});
