import { packages as ofNest } from '../nest/tool.mjs';

export const packages = {
  ...ofNest,
  '@nestjs/cli': '11.0.24',
  '@swc/cli': '0.7.10',
  '@swc/core': '1.16.22',
};
export const common = ['nest'];
export const takesMinutes = true;

export default async ({ check, tool, ask, requireEqual }) =>
  check('nest build --builder swc', async () => {
    await tool('nest', ['build', '--builder', 'swc']);
    requireEqual(await ask(['dist/main.js'], '/report'), 'isolate: 33');
  });
