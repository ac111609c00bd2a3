import { TABLE } from '../answers.mjs';

export const packages = { pnpm: '10.34.9' };

export default async (steps) => {
  const { check, tool, copyProject, nodePrints, requireEqual } = steps;
  await check('its node_modules of links', async () => {
    const cwd = copyProject('bundled', 'app', { 'd3-dsv': '3.0.1' });
    await tool('pnpm', ['install', '--ignore-scripts'], { cwd });
    requireEqual(await nodePrints(['app.mjs'], { cwd }), TABLE);
  });
};
