import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { INLINE, TABLE } from '../answers.mjs';
import { TASKS } from '../esbuild/tool.mjs';

export const packages = {
  'd3-dsv': '3.0.1',
  esbuild: '0.28.2',
  postject: '1.0.0-alpha.6',
};
export const common = ['bundled'];

// Node's documentation has it: it marks where the program is.
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

export default async (steps) => {
  const { check, tool, run, node, folder, binary, remove } = steps;
  const { requireEqual } = steps;
  await check('one executable and the addon beside it', async () => {
    const flags = ['--bundle', '--platform=node', '--outfile=out/app.cjs'];
    await tool('esbuild', ['start.cjs', ...flags]);
    await run(node, ['--experimental-sea-config', 'sea-config.json']);
    const app = join(folder, 'out/app');
    copyFileSync(node, app);
    copyFileSync(binary(), join(folder, 'out/sloppy_workers.node'));
    await tool('postject', [
      app,
      'NODE_SEA_BLOB',
      'out/app.blob',
      '--sentinel-fuse',
      FUSE,
    ]);
    const { stdout } = await run(app, []);
    requireEqual(stdout.trimEnd(), INLINE);
  });
  await check('and a tasks file beside it', async () => {
    await tool('esbuild', [...TASKS, '--outfile=out/tasks.mjs']);
    remove('node_modules');
    const { stdout } = await run(join(folder, 'out/app'), ['--module']);
    requireEqual(stdout.trimEnd(), TABLE);
  });
};
