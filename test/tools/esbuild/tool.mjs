import { INLINE, TABLE } from '../answers.mjs';

export const packages = { 'd3-dsv': '3.0.1', esbuild: '0.28.2' };
export const common = ['bundled'];

const FLAGS = ['--bundle', '--platform=node', '--minify', '--keep-names'];

// A tasks file in one file, for a program in one file.
export const TASKS = [
  'tasks.mjs',
  '--bundle',
  '--platform=node',
  '--format=esm',
];

export default async (steps) => {
  const { check, tool, nodePrints, binary, requireEqual, remove } = steps;
  await check('one file in CommonJS and its tasks file beside it', async () => {
    await tool('esbuild', ['beside.cjs', ...FLAGS, '--outfile=two/app.cjs']);
    await tool('esbuild', [...TASKS, '--outfile=two/tasks.mjs']);
    const env = { SLOPPY_WORKERS_BINARY: binary() };
    requireEqual(await nodePrints(['two/app.cjs'], { env }), TABLE);
  });
  await check('external, the tasks as an entry', async () => {
    await tool('esbuild', [
      'app.mjs',
      'tasks.mjs',
      ...FLAGS,
      '--format=esm',
      '--external:sloppy-workers',
      '--outdir=out',
      '--out-extension:.js=.mjs',
    ]);
    remove('tasks.mjs', 'node_modules/d3-dsv');
    requireEqual(await nodePrints(['out/app.mjs']), TABLE);
  });
  await check(
    'one ES module with a `require`, and the package beside it',
    async () => {
      const banner =
        "import { createRequire } from 'node:module';" +
        'const require = createRequire(import.meta.url);';
      const flags = [...FLAGS, '--format=esm', `--banner:js=${banner}`];
      await tool('esbuild', ['inline.mjs', ...flags, '--outfile=esm/app.mjs']);
      requireEqual(await nodePrints(['esm/app.mjs']), INLINE);
    },
  );
  await check('one file in CommonJS and SLOPPY_WORKERS_BINARY', async () => {
    await tool('esbuild', ['inline.mjs', ...FLAGS, '--outfile=one/app.cjs']);
    const env = { SLOPPY_WORKERS_BINARY: binary() };
    requireEqual(await nodePrints(['one/app.cjs'], { env }), INLINE);
  });
};
