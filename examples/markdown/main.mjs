// This package's documents as HTML, by an npm package inside the isolates:
//   node examples/markdown/main.mjs

import assert from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { WorkerPool } from 'sloppy-workers';

const docs = new URL('../../docs/', import.meta.url);
const names = (await readdir(docs)).filter((name) => name.endsWith('.md'));
const pages = await Promise.all(
  names.map(async (name) => ({
    name,
    text: await readFile(new URL(name, docs), 'utf8'),
  })),
);

const pool = WorkerPool.create('markdown', {
  workers: 2,
  module: new URL('./render.mjs', import.meta.url),
});
const rendered = await Promise.all(
  pages.map(({ name, text }) =>
    pool.invoke('render', { name, text }, { timeoutMs: 60_000 }),
  ),
);
await pool.stop();

for (const { name, title, html } of rendered) {
  console.log(`${name}: “${title}”, ${html.length} characters of HTML`);
}
const codes = rendered.find(({ name }) => name === 'codes.md');
assert.strictEqual(codes.title, 'Error codes');
assert.match(codes.html, /^<h1>Error codes<\/h1>/);
assert.match(codes.html, /<td><code>SLOPPY_E_WORK_QUEUE_FULL<\/code><\/td>/);
console.log('ok');
