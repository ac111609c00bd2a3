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
// A program without @types/node has this.
const TYPED = `
import { type Payload, WorkerPool } from 'sloppy-workers';

export const pool = WorkerPool.create('typed', { env: { NAME: 'x' } });
export const payload: Payload = { rows: [1, 'x', null] };
// @ts-expect-error: a Date cannot be sent
export const date: Payload = { at: new Date() };
// @ts-expect-error: timeoutMs
pool.run(() => 1, { timeout: 5 });
`;
const TSCONFIG = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    strict: true,
    noEmit: true,
    types: [],
  },
  files: ['typed.ts'],
};
// A bundle that has packages in CommonJS in it has this.
const BANNER =
  "import { createRequire } from 'node:module';" +
  'const require = createRequire(import.meta.url);';

export default async (steps) => {
  const { check, tool, nodePrints, write, requireEqual } = steps;
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
  await check("its types, without Node's", async () => {
    write('typed.ts', TYPED);
    write('typed.json', TSCONFIG);
    await tool('tsc', ['-p', 'typed.json']);
  });
};
