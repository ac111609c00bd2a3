import { INLINE, TABLE } from '../answers.mjs';

export const packages = {
  'd3-dsv': '3.0.1',
  esbuild: '0.28.2',
  fastify: '5.12.7',
  hono: '4.13.14',
  tsup: '8.5.1',
  typescript: '5.9.3',
};
export const manifest = { type: 'module' };

const BOTH = `${INLINE}, ${TABLE}`;
const FILES = ['fastify', 'hono', 'tasks'].map((name) => `src/${name}.ts`);
// Of a bundle that has packages in CommonJS in it.
const BANNER =
  "import { createRequire } from 'node:module';" +
  'const require = createRequire(import.meta.url);';

export default async ({ check, tool, nodePrints, requireEqual }) => {
  const build = (out, ...flags) =>
    tool('tsup', [...FILES, '--format', 'esm', '--out-dir', out, ...flags]);
  await check(
    'servers of Fastify and Hono, the tasks as an entry',
    async () => {
      await build('out');
      requireEqual(await nodePrints(['out/fastify.js']), BOTH);
      requireEqual(await nodePrints(['out/hono.js']), BOTH);
    },
  );
  await check('minified for an older Node', async () => {
    await build('small', '--minify', '--target', 'node16');
    requireEqual(await nodePrints(['small/fastify.js']), BOTH);
  });
  await check("esbuild, with Fastify's code in the bundle", async () => {
    await tool('esbuild', [
      ...FILES,
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--external:sloppy-workers',
      `--banner:js=${BANNER}`,
      '--outdir=whole',
    ]);
    requireEqual(await nodePrints(['whole/fastify.js']), BOTH);
  });
};
