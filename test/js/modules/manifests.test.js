'use strict';
// Files named package.json that are no object of JSON: told with Node's code
// wherever Node looks at them.

const { logOf, removeFolders, runIn } = require('./support.js');

const [major] = process.versions.node.split('.').map(Number);

afterEach(removeFolders);

const MAIN = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const log = [];
const note = async (name, get) => {
  try { log.push(name + ' ' + typeof (await get())); }
  catch (e) { log.push(name + ' ' + e.code); }
};
const imported = ['./s/a.js', './s/m.js', './s/c.cjs', './s/m.mjs', './s/m2.mjs', './s/none', 'p', 'p/x.mjs'];
for (const name of imported) await note(name, async () => (await import(name)).default);
await note('#x', async () => (await import('./s/m3.mjs')).default);
await note('data', async () => (await import('./s/d.json', { with: { type: 'json' } })).default);
const required = ['./s/a.js', './s/m.js', './s/c.cjs', './s/m.mjs', './s/d.json', './s/none', './s', 'p', 'p/x.mjs'];
for (const name of required) await note(name, () => require(name));
for (const name of ['p', './s', './s/a.js']) {
  await note('resolve ' + name, () => require.resolve(name));
  await note('meta ' + name, () => import.meta.resolve(name));
}
export const f = () => log;
export const run = f;`;

const filesWith = (manifest) => ({
  'main.mjs': MAIN,
  's/package.json': manifest,
  's/a.js': 'module.exports = 1;',
  's/m.js': 'export default 1;',
  's/c.cjs': 'module.exports = 1;',
  's/m.mjs': 'export default 1;',
  's/m2.mjs': "export default await import('q');",
  's/m3.mjs': "export default await import('#q');",
  's/d.json': '1',
  's/none': 'module.exports = 1;',
  's/index.js': 'module.exports = 1;',
  'node_modules/p/package.json': manifest,
  'node_modules/p/index.js': 'module.exports = 1;',
  'node_modules/p/x.mjs': 'export default 1;',
});

describe.each([
  '',
  '{',
  'x',
  '{"type":"module",}',
  '{} trailing',
  '[]',
  '"text"',
  '5',
  'null',
])('a package.json that is %p', (manifest) => {
  // Node 20 has no code for require(), and takes [], texts and numbers.
  const like = major === 20 ? test.skip : test;

  like('is told where Node tells of it', async () => {
    const log = await logOf(filesWith(manifest));
    expect(log).toContain('./s/a.js ERR_INVALID_PACKAGE_CONFIG');
  });

  test('is told with the file', async () => {
    const log = await runIn(filesWith(manifest));
    expect(log).toContain('./s/a.js ERR_INVALID_PACKAGE_CONFIG');
    expect(log).toContain('./s/c.cjs number');
    expect(log).toContain('p ERR_INVALID_PACKAGE_CONFIG');
    const main = `import x from './s/a.js'; export const run = () => x;`;
    const error = await runIn({
      ...filesWith(manifest),
      'main.mjs': main,
    }).catch((e) => e);
    expect(error.cause.message).toMatch(
      /^Invalid package config .*[\\/]s[\\/]package\.json: it is no object of JSON$/,
    );
  });
});

test.each(['\uFEFF{"type":"module"}', '{"type":"other"}'])(
  'a package.json that is %p',
  async (manifest) => {
    await logOf(filesWith(manifest));
  },
);
