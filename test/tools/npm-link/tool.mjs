import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TABLE } from '../answers.mjs';

export const packages = { 'd3-dsv': '3.0.1' };
export const common = ['linked'];

export const LIBRARY = {
  name: '@acme/tasks',
  version: '1.0.0',
  exports: './tasks.mjs',
  dependencies: packages,
};

export default async (steps) => {
  const { check, folder, run, node, write, requireEqual } = steps;
  await check('a tasks file in a linked package', async () => {
    write('library/package.json', LIBRARY);
    // `npm link` lays it out so: what the library imports is beside it alone.
    for (const path of ['library/node_modules', 'app/node_modules/@acme']) {
      mkdirSync(join(folder, path), { recursive: true });
    }
    const own = join(folder, 'library/node_modules/d3-dsv');
    renameSync(join(folder, 'node_modules/d3-dsv'), own);
    const link = join(folder, 'app/node_modules/@acme/tasks');
    symlinkSync(join(folder, 'library'), link, 'dir');
    const cwd = join(folder, 'app');
    const { stdout } = await run(node, ['app.mjs'], { cwd });
    requireEqual(stdout, `${TABLE}\n${TABLE}\n`);
  });
};
