import { TABLE } from '../answers.mjs';

export const packages = {
  'd3-dsv': '3.0.1',
  webpack: '5.112.2',
  'webpack-cli': '6.0.1',
};
export const common = ['bundled'];

export default async ({ check, tool, nodePrints, remove, requireEqual }) =>
  check('external, the tasks as an entry', async () => {
    await tool('webpack', []);
    remove('tasks.mjs', 'node_modules/d3-dsv');
    requireEqual(await nodePrints(['dist/app.mjs']), TABLE);
  });
