'use strict';
// Modules have the URLs that Node gives them, whatever their files are called.

const { join } = require('node:path');

const { folderWith, removeFolders } = require('./support.js');
const { runNode } = require('../support/run-node.js');

afterEach(removeFolders);

const NAMES = ['ü', '€', '😀', 'a~1', '%7E', 'a b c', '~[]^|`{}"<>', '.x'];
if (process.platform !== 'win32') {
  for (let code = 1; code < 128; code += 1) {
    const char = String.fromCharCode(code);
    // Node loads nothing from a folder with a backslash.
    if (!'/\\'.includes(char)) NAMES.push(`_${char}_`);
  }
}

const FACTS = `
  import { createRequire } from 'node:module';
  import { pathToFileURL } from 'node:url';
  const here = import.meta;
  const urlOf = async (name) => (await import(name)).default;
  export const facts = {
    url: here.url,
    place: [here.filename, here.dirname],
    resolved: ['./d~e[p].mjs', './none ~[].mjs'].map((name) => here.resolve(name)),
    imported: [
      await urlOf('./d~e[p].mjs'),
      await urlOf('./d%7Ee%5Bp%5D.mjs'),
      await urlOf(new URL('./d~e[p].mjs', here.url).href),
    ],
    suffixes: await Promise.all(
      ['?', '#', '?#', '??#?#', '?a#', '?#a', '?a b ', '?a\\tb\\n', '?a%20',
       '?\\"<>\`{}|^~[]\\'', '#\\"<>\`{}|^~[]\\'', '?ü#€'].map(
        (suffix) => urlOf('./d~e[p].mjs' + suffix)),
    ),
    converted: pathToFileURL(here.filename).href,
    required: createRequire(here.url)('./where.cjs'),
  };`;
const WHERE = `const { pathToFileURL } = require('node:url');
  module.exports = [__filename, pathToFileURL(__filename).href];`;

const COMPARE = `
  import { createRequire } from 'node:module';
  import { pathToFileURL } from 'node:url';
  const require = createRequire(process.cwd() + '/');
  const { Worker, WorkerPool } = require('./lib');
  const [folder, runtime, names] = process.argv.slice(2);
  const paths = JSON.parse(names).map((name) => folder + '/' + name + '/m.mjs');
  const urls = paths.map((path) => pathToFileURL(path).href);
  const load = async ({ input }) => {
    const all = [];
    for (const url of input) all.push((await import(url)).facts);
    return all;
  };
  const pool = WorkerPool.create('urls', { runtime });
  const theirs = await load({ input: urls });
  const ours = await pool.run(load, { input: urls });
  // The module of a worker is named by path.
  for (const i of [3, 6]) {
    const worker = await Worker.start(paths[i], { runtime });
    ours.push(await worker.invoke('tell'));
    theirs.push(theirs[i]);
    await worker.stop();
  }
  await pool.stop();
  console.log(JSON.stringify({ theirs, ours }));`;

test.each(['isolate', 'thread'])('runtime %s', (runtime) => {
  const files = { 'compare.mjs': COMPARE };
  for (const name of NAMES) {
    files[`${name}/m.mjs`] = `${FACTS}\n export const tell = () => facts;`;
    files[`${name}/d~e[p].mjs`] = 'export default import.meta.url;';
    files[`${name}/where.cjs`] = WHERE;
  }
  const folder = folderWith(files);
  const script = join(folder, 'compare.mjs');
  const args = [script, folder, runtime, JSON.stringify(NAMES)];
  const { theirs, ours } = JSON.parse(runNode(args));
  expect(theirs.length).toBe(NAMES.length + 2);
  expect(theirs[0].url).toContain('file:///');
  for (const [i, facts] of theirs.entries()) expect(ours[i]).toEqual(facts);
});
