import { realpathSync } from 'node:fs';
import { INLINE, TABLE } from '../answers.mjs';

export const packages = { 'd3-dsv': '3.0.1' };
export const common = ['bundled'];

export default async (steps) => {
  const { check, major, folder, nodePrints, requireEqual } = steps;
  const flags = [
    major < 24 ? '--experimental-permission' : '--permission',
    `--allow-fs-read=${realpathSync(folder)}/*`,
    '--allow-addons',
  ];
  await check('a function', async () =>
    requireEqual(await nodePrints([...flags, 'inline.mjs']), INLINE),
  );
  await check('a module with its imports', async () =>
    requireEqual(await nodePrints([...flags, 'app.mjs']), TABLE),
  );
  await check("one of Node's threads", async () => {
    const args = [...flags, '--allow-worker', 'thread.mjs'];
    requireEqual(await nodePrints(args), TABLE.replace('isolate', 'node'));
  });
};
