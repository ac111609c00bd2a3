// The part that is the same for each major version of Vite.

import { TABLE } from './answers.mjs';

export const runVite = async ({
  check,
  tool,
  nodePrints,
  remove,
  requireEqual,
}) =>
  check('server build, the tasks as an entry', async () => {
    await tool('vite', ['build', '--logLevel=warn']);
    remove('tasks.mjs', 'node_modules/d3-dsv');
    requireEqual(await nodePrints(['out/app.mjs']), TABLE);
  });
