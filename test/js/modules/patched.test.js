'use strict';
// Built-ins that a CommonJS file replaces do not reach the loader.

const { removeFolders, runIn } = require('./support.js');

afterEach(removeFolders);

const thrower = "() => { throw new Error('patched'); }";
const PATCHES = {
  'Promise.prototype.then': `Promise.prototype.then = ${thrower};`,
  'a missing Promise.prototype.then': 'delete Promise.prototype.then;',
  'Promise.prototype.constructor':
    'Promise.prototype.constructor = class Mine {};',
  'Promise[Symbol.species]': `Object.defineProperty(Promise, Symbol.species,
    { get: ${thrower} });`,
  'Array.prototype[Symbol.iterator]':
    'Array.prototype[Symbol.iterator] = null;',
};
const FILES = {
  'b.mjs': "import './c.cjs'; import './d.mjs'; export const b = 'b';",
  'd.mjs': "import './b.mjs'; export const d = 'd';",
  'c.cjs': "exports.c = require('./e.mjs').e;",
  'e.mjs': "export { default as e } from './f.cjs';",
  'f.cjs': "module.exports = require('./g');",
  'g/index.js': "exports.g = require('./h.json').h;",
  'g/h.json': '{ "h": "h" }',
  'broken.mjs': "import { no } from './c.cjs';",
  'throws.cjs': "throw new Error('thrown');",
};
const IMPORTS = `[
  import('./b.mjs'), import('./c.cjs'), import('./b.mjs'),
  import('./g/h.json', { with: { type: 'json' } }), import('node:path'),
  import('./missing.mjs'), import('no-such-package'), import('./broken.mjs'),
  import('./throws.cjs'), import('data:text/javascript,export default 1'),
]`;
const OUTCOMES = [
  'b,default undefined',
  'undefined,h',
  'b,default undefined',
  'undefined,h',
  'undefined,function',
  'ERR_MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'SyntaxError',
  'Error: thrown',
  'undefined,1',
];
const SHOW = `
  const show = (space) =>
    String(space.b) + ',' + (space.default?.c?.g ?? space.default?.h ??
      (typeof space.default?.join === 'function' ? 'function' :
      'b' in space ? 'default undefined' : space.default));
  const fault = (e) => e.code ?? (e.name === 'SyntaxError' ? e.name : String(e));
  const outcomes = async (list) => {
    const found = [];
    for (let i = 0; i < list.length; ++i) {
      try { found[i] = show(await list[i]); } catch (e) { found[i] = fault(e); }
    }
    return found;
  };`;

// Built-ins that a loader may well use, replaced by functions that throw.
const METHODS = {
  'Array.prototype':
    'concat every filter find forEach includes indexOf join map pop push ' +
    'shift slice some splice unshift values',
  Array: 'from isArray of',
  'Function.prototype': 'apply bind call toString',
  JSON: 'parse stringify',
  'Map.prototype': 'delete get has set',
  Object:
    'assign create defineProperties defineProperty entries freeze fromEntries ' +
    'getOwnPropertyDescriptor getOwnPropertyNames getPrototypeOf hasOwn keys ' +
    'setPrototypeOf values',
  Promise: 'all allSettled race reject resolve',
  Reflect: 'apply construct defineProperty get getPrototypeOf ownKeys set',
  'RegExp.prototype': 'exec test toString',
  'Set.prototype': 'add has',
  'String.prototype':
    'charAt charCodeAt codePointAt concat endsWith includes indexOf ' +
    'lastIndexOf match replace replaceAll slice split startsWith substring ' +
    'toLowerCase trim',
  Uint8Array: 'from',
};
for (const [owner, names] of Object.entries(METHODS)) {
  const patches = names
    .split(' ')
    .map((name) => `${owner}.${name} = ${thrower};`);
  PATCHES[`set of methods of ${owner}`] = patches.join(' ');
}
for (const name of ['decodeURIComponent', 'Map', 'RegExp', 'Set']) {
  PATCHES[name] = `globalThis.${name} = undefined;`;
}
PATCHES['name on all objects'] = `Object.prototype.path = 'x';
  Object.prototype.get = ${thrower}; Object.prototype.isJson = true;`;

describe.each(Object.entries(PATCHES))('with another %s', (_name, patch) => {
  test('import() and require() go on', async () => {
    const found = await runIn({
      ...FILES,
      'main.mjs': `import 'node:path'; import './patch.cjs'; ${SHOW}
        export const run = async () => {
          const list = ${IMPORTS};
          return await outcomes(list);
        };`,
      'patch.cjs': patch,
    });
    expect(found).toEqual(OUTCOMES);
  });

  test('a module begins that was linked before', async () => {
    const found = await runIn({
      ...FILES,
      'main.mjs': `import './patch.cjs'; import { b } from './b.mjs';
        import c from './c.cjs';
        export const run = () => b + c.c.g;`,
      'patch.cjs': patch,
    });
    expect(found).toBe('bh');
  });
});

test('without a constructor of promises import() goes on', async () => {
  const found = await runIn({
    ...FILES,
    'main.mjs': `${SHOW}
      // await of the program itself needs it.
      export const run = () => new Promise((resolve) => {
        setTimeout(() => {
          Promise.prototype.constructor = null;
          const list = ${IMPORTS};
          setTimeout(() => {
            Promise.prototype.constructor = Promise;
            resolve(outcomes(list));
          }, 50);
        });
      });`,
  });
  expect(found).toEqual(OUTCOMES);
});

// V8 ends the process there on Node 20, 22 and 24.
describe.each([
  ['Promise[Symbol.species]', 'Error: patched'],
  ['Promise.prototype.constructor', 'TypeError'],
])('where then() throws by another %s', (name, fault) => {
  const patch = name.includes('species') ? PATCHES[name] : `${name} = null;`;
  const files = {
    ...FILES,
    'patch.cjs': patch,
    'awaits.mjs': "await null; export const a = 'awaited';",
  };
  test('a module that awaits is refused by import()', async () => {
    const found = await runIn({
      ...files,
      'main.mjs': `export const run = () => new Promise((resolve) => {
          const { constructor } = Promise.prototype;
          const species = Object.getOwnPropertyDescriptor(Promise,
            Symbol.species);
          setTimeout(() => {
            ${patch}
            const list = import('./awaits.mjs');
            setTimeout(() => {
              Promise.prototype.constructor = constructor;
              Object.defineProperty(Promise, Symbol.species, species);
              list.then((x) => resolve(x.a), (e) => resolve(
                e.name === 'TypeError' ? e.name : String(e)));
            }, 50);
          });
        });`,
    });
    expect(found).toBe(fault);
  });

  test('a module that awaits after it is refused', async () => {
    const running = runIn({
      ...files,
      'main.mjs': `import './patch.cjs'; import './awaits.mjs';
        export const run = () => 1;`,
    });
    await expect(running).rejects.toMatchObject({
      code: 'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED',
    });
  });
});
