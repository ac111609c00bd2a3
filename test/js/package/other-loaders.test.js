'use strict';
// Loaders that run CommonJS themselves, as Vitest does (server.deps.inline): what
// `module.exports` gives is not what was assigned to it.

const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const LIB = join(__dirname, '../../../lib');

/** @returns {{ names: object, all: object }} as a namespace, and its default */
function load(file) {
  const path = join(LIB, file);
  const names = {};
  let all;
  const loaded = {
    get exports() {
      return names;
    },
    set exports(value) {
      all = value;
      for (const name of Object.keys(value)) {
        Object.defineProperty(names, name, {
          get: () => value[name],
          enumerable: true,
          configurable: true,
        });
      }
    },
  };
  const run = new Function('module', 'exports', 'require', readFileSync(path));
  run(loaded, names, createRequire(path));
  return { names, all };
}

test.each(['index.js', 'workers.js'])('%s has its values', (file) => {
  const { names, all } = load(file);
  const real = require(join(LIB, file));
  expect(Object.keys(all)).toEqual(Object.keys(real));
  for (const [name, value] of Object.entries(real)) {
    expect(typeof value).not.toBe('undefined');
    expect([name, names[name]]).toEqual([name, value]);
    expect([name, all[name]]).toEqual([name, value]);
  }
});
