'use strict';

// Small parts of Node by which packages choose what they do.

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
bare.context.require = (name) => bare.api.builtin(name, 'importer.js');
const run = (source) => bare.run(`(() => { ${source} })()`);

describe('Buffer', () => {
  test('has no mark of npm’s', () => {
    expect(
      run(
        `return ['TYPED_ARRAY_SUPPORT' in Buffer, '_isBuffer' in Buffer.prototype].join()`,
      ),
    ).toBe('false,false');
  });

  const ENCODINGS = [
    'ascii',
    'base64',
    'base64url',
    'hex',
    'latin1',
    'ucs2',
    'utf8',
  ];
  test.each(ENCODINGS)('%sSlice and %sWrite', (encoding) => {
    const source = `
      const from = Buffer.from('h\\u00e4llo w\\u00f6rld, 2 ');
      const to = Buffer.alloc(64);
      const slice = from.${encoding}Slice(2, 12);
      const whole = from.${encoding}Slice();
      return [slice, whole, to.${encoding}Write(whole, 3, 9), to.toString('hex'),
        to.${encoding}Write(slice), to.toString('hex')].join('|');`;
    expect(run(source)).toBe(new Function(source)());
  });

  test('numbers of 64 bits by both spellings', () => {
    const source = `
      const b = Buffer.alloc(16);
      return [b.writeBigUint64LE(0x1122334455667788n, 1), b.writeBigUint64BE(7n, 8),
        b.readBigUint64LE(1), b.readBigUint64BE(8), b.toString('hex')].join('|');`;
    expect(run(source)).toBe(new Function(source)());
  });
});

describe('constants of fs', () => {
  const { constants } = require('node:fs');
  const read = (source) => JSON.parse(run(`return JSON.stringify(${source})`));

  test('are those of the system', () => {
    const ours = read(`require('fs').constants`);
    expect(Object.keys(ours).length).toBeGreaterThan(20);
    for (const [name, value] of Object.entries(ours)) {
      expect([name, value]).toEqual([name, constants[name]]);
    }
    expect(read(`require('fs/promises').constants`)).toEqual(ours);
  });
});

test('process.getBuiltinModule', () => {
  const createRequire = () => bare.context.require;
  bare.host.modules = () => ({ Module: function Module() {}, createRequire });
  expect(
    run(`return [process.getBuiltinModule('path') === require('path'),
      process.getBuiltinModule('node:path') === require('path'),
      process.getBuiltinModule('no-such-thing'), process.getBuiltinModule('test'),
      typeof process.getBuiltinModule('fs').readFile].join()`),
  ).toBe('true,true,,,function');
  expect(() => run('process.getBuiltinModule(1)')).toThrow('"id" argument');
});
