'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('WebAssembly objects', {
  Memory: [
    () => {
      const memory = new WebAssembly.Memory({ initial: 1, maximum: 3 });
      const first = memory.buffer;
      const log = [
        first.byteLength,
        memory.buffer === first,
        memory.grow(1),
        first.byteLength,
        memory.buffer.byteLength,
        memory.grow(0),
        thrown(() => memory.grow(5)),
        memory.buffer.byteLength,
      ];
      log.push(
        Object.prototype.toString.call(memory),
        Object.isFrozen(memory.buffer),
      );
      return log.concat(
        [
          undefined,
          5,
          {},
          { initial: -1 },
          { initial: 2 ** 32 },
          { initial: 2, maximum: 1 },
          { initial: Number.NaN },
          { initial: 70000 },
        ].map((of) => thrown(() => new WebAssembly.Memory(of))),
        thrown(() => WebAssembly.Memory.prototype.buffer),
        thrown(() => WebAssembly.Memory.prototype.grow.call({}, 1)),
        thrown(() => memory.grow()),
        thrown(() => memory.grow(-1)),
      );
    },
    [
      65536,
      true,
      1,
      0,
      131072,
      2,
      'RangeError',
      131072,
      '[object WebAssembly.Memory]',
      false,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'RangeError',
      'TypeError',
      'RangeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  'shared memory': [
    () => {
      const memory = new WebAssembly.Memory({
        initial: 1,
        maximum: 2,
        shared: true,
      });
      const first = memory.buffer;
      memory.grow(1);
      return [
        first instanceof SharedArrayBuffer,
        first.byteLength,
        memory.buffer.byteLength,
        Object.isFrozen(memory.buffer),
        thrown(() => new WebAssembly.Memory({ initial: 1, shared: true })),
      ];
    },
    [true, 65536, 131072, true, 'TypeError'],
  ],
  Table: [
    () => {
      const table = new WebAssembly.Table({
        element: 'anyfunc',
        initial: 2,
        maximum: 4,
      });
      const any = new WebAssembly.Table(
        { element: 'externref', initial: 2 },
        'x',
      );
      return [
        table.length,
        table.get(0),
        table.grow(1),
        table.length,
        thrown(() => table.grow(9)),
        thrown(() => table.get(9)),
        thrown(() => table.set(9, null)),
        thrown(() => table.set(0, () => {})),
        table.set(0, null),
        any.get(1),
        any.set(0, 5),
        any.get(0),
        any.set(0),
        any.get(0),
        thrown(() => new WebAssembly.Table({ element: 'other', initial: 1 })),
        thrown(() => new WebAssembly.Table({ initial: 1 })),
        thrown(
          () =>
            new WebAssembly.Table({
              element: 'anyfunc',
              initial: 2,
              maximum: 1,
            }),
        ),
        thrown(() => WebAssembly.Table.prototype.length),
        Object.prototype.toString.call(table),
      ];
    },
    [
      2,
      null,
      2,
      3,
      'RangeError',
      'RangeError',
      'RangeError',
      'TypeError',
      undefined,
      'x',
      undefined,
      5,
      undefined,
      undefined,
      'TypeError',
      'TypeError',
      'RangeError',
      'TypeError',
      '[object WebAssembly.Table]',
    ],
  ],
  Global: [
    () => {
      const make = (value, mutable, initial) =>
        new WebAssembly.Global({ value, mutable }, initial);
      const i32 = make('i32', true, 5.9);
      const fixed = make('i64', false, 7n);
      i32.value = 2 ** 32 + 1;
      return [
        i32.value,
        `${i32.valueOf()}`,
        typeof fixed.value,
        thrown(() => {
          fixed.value = 1n;
        }),
        make('f32', true).value,
        make('f64', false, '2.5').value,
        make('externref', true, 'x').value,
        thrown(() => make('i64', true, 1)),
        thrown(() => make('x')),
        thrown(() => new WebAssembly.Global()),
        thrown(() => {
          i32.value = 1n;
        }),
        Object.prototype.toString.call(i32),
      ];
    },
    [
      1,
      '1',
      'bigint',
      'TypeError',
      0,
      2.5,
      'x',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      '[object WebAssembly.Global]',
    ],
  ],
  'Tag and Exception': [
    () => {
      const tag = new WebAssembly.Tag({ parameters: ['i32', 'f64'] });
      const exception = new WebAssembly.Exception(tag, [1, 2.5]);
      return [
        exception.is(tag),
        exception.is(new WebAssembly.Tag({ parameters: [] })),
        exception.getArg(tag, 1),
        thrown(() => new WebAssembly.Tag()),
        thrown(() => new WebAssembly.Tag({ parameters: ['x'] })),
      ];
    },
    [true, false, 2.5, 'TypeError', 'TypeError'],
  ],
});
