// A program bundled by esbuild and by webpack:  node examples/bundled/main.mjs

import assert from 'node:assert';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import webpack from 'webpack';

const entry = fileURLToPath(new URL('./app.mjs', import.meta.url));
const folder = fileURLToPath(
  new URL('../../build/examples/bundled', import.meta.url),
);

await build({
  entryPoints: [entry],
  outfile: join(folder, 'esbuild.mjs'),
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'esm',
  external: ['sloppy-workers'],
});

const stats = await promisify(webpack)({
  entry,
  mode: 'production',
  target: 'node20',
  output: {
    path: folder,
    filename: 'webpack.mjs',
    module: true,
  },
  experiments: { outputModule: true },
  externals: { 'sloppy-workers': 'module sloppy-workers' },
});
assert.ok(!stats.hasErrors(), stats.toString());

for (const name of ['esbuild.mjs', 'webpack.mjs']) {
  const output = execFileSync(process.execPath, [join(folder, name)], {
    encoding: 'utf8',
  });
  assert.strictEqual(output, 'n,square\n1,1\n2,4\n3,9\n');
  console.log(`${name} works`);
}
console.log('ok');
