'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('WebAssembly', {
  'validate says yes or no, and takes bytes only': [
    () => {
      const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
      return [
        WebAssembly.validate(empty),
        WebAssembly.validate(empty.buffer),
        WebAssembly.validate(empty.subarray(0, 7)),
        thrown(() => WebAssembly.validate()),
        thrown(() => WebAssembly.validate('x')),
        thrown(() => WebAssembly.validate([])),
      ];
    },
    [true, true, false, 'TypeError', 'TypeError', 'TypeError'],
  ],
  'the namespace and its classes look as they should': [
    () => {
      const flags = (object, key) => {
        const { writable, enumerable, configurable } =
          Object.getOwnPropertyDescriptor(object, key);
        return [writable, enumerable, configurable].map(Number).join('');
      };
      const classes = [
        'Module',
        'Instance',
        'Memory',
        'Table',
        'Global',
        'Tag',
        'Exception',
        'CompileError',
        'LinkError',
        'RuntimeError',
      ];
      return [
        Object.prototype.toString.call(WebAssembly),
        flags(globalThis, 'WebAssembly'),
        Object.getPrototypeOf(WebAssembly) === Object.prototype,
        classes.map((name) => [
          name,
          flags(WebAssembly, name),
          WebAssembly[name].name === name,
          thrown(() => WebAssembly[name]()) === 'TypeError',
        ]),
        ['validate', 'compile', 'instantiate'].map((name) => [
          flags(WebAssembly, name),
          WebAssembly[name].length,
          WebAssembly[name].name,
          'prototype' in WebAssembly[name],
        ]),
        ['Module', 'Instance', 'Memory', 'Table', 'Global'].map(
          (name) =>
            `${WebAssembly[name].prototype[Symbol.toStringTag]} ${flags(WebAssembly[name], 'prototype')} ${flags(WebAssembly[name].prototype, 'constructor')}`,
        ),
        [
          flags(WebAssembly.Memory.prototype, 'grow'),
          WebAssembly.Memory.prototype.grow.length,
          typeof Object.getOwnPropertyDescriptor(
            WebAssembly.Memory.prototype,
            'buffer',
          ).get,
          flags(WebAssembly.Module, 'exports'),
        ],
      ];
    },
    [
      '[object WebAssembly]',
      '101',
      true,
      [
        'Module',
        'Instance',
        'Memory',
        'Table',
        'Global',
        'Tag',
        'Exception',
        'CompileError',
        'LinkError',
        'RuntimeError',
      ].map((name) => [name, '101', true, !/Error/.test(name)]),
      [
        ['111', 1, 'validate', false],
        ['111', 1, 'compile', false],
        ['111', 1, 'instantiate', false],
      ],
      ['Module', 'Instance', 'Memory', 'Table', 'Global'].map(
        (name) => `WebAssembly.${name} 000 101`,
      ),
      ['111', 1, 'function', '111'],
    ],
  ],
  'a module tells of its imports, exports and sections': [
    () => {
      const bytes = new Uint8Array([
        0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 109, 1, 102,
        0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 103, 0, 1, 10, 4, 1, 2, 0, 11, 0, 3, 1,
        99, 7, 0, 3, 1, 99, 8,
      ]);
      const module = new WebAssembly.Module(bytes);
      const sections = WebAssembly.Module.customSections(module, 'c');
      return [
        WebAssembly.Module.imports(module),
        WebAssembly.Module.exports(module),
        sections.map((section) => [
          section instanceof ArrayBuffer,
          ...new Uint8Array(section),
        ]),
        WebAssembly.Module.customSections(module, 'none'),
        thrown(() => WebAssembly.Module.customSections(module)),
        thrown(() => WebAssembly.Module.exports({})),
        thrown(() => new WebAssembly.Module(new Uint8Array())),
        thrown(() => new WebAssembly.Module('x')),
      ];
    },
    [
      [{ module: 'm', name: 'f', kind: 'function' }],
      [{ name: 'g', kind: 'function' }],
      [
        [true, 7],
        [true, 8],
      ],
      [],
      'TypeError',
      'TypeError',
      'CompileError',
      'TypeError',
    ],
  ],
});
