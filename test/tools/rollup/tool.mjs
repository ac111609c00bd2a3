import { TABLE } from '../answers.mjs';

export const packages = {
  '@rollup/plugin-node-resolve': '16.0.3',
  'd3-dsv': '3.0.1',
  rollup: '4.67.3',
};
export const common = ['bundled'];

export default async ({ check, tool, nodePrints, remove, requireEqual }) =>
  check('external, the tasks as an entry', async () => {
    await tool('rollup', ['--config', '--silent']);
    remove('tasks.mjs', 'node_modules/d3-dsv');
    requireEqual(await nodePrints(['out/app.mjs']), TABLE);
  });
