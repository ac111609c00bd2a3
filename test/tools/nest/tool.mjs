export const packages = {
  '@nestjs/common': '11.2.10',
  '@nestjs/core': '11.2.10',
  '@nestjs/platform-express': '11.2.10',
  '@types/node': '20.19.43',
  'reflect-metadata': '0.2.2',
  rxjs: '7.8.2',
  typescript: '5.9.3',
};
export const common = ['nest'];

export default async ({ check, tool, ask, requireEqual }) =>
  check('a controller asks a pool', async () => {
    await tool('tsc', []);
    requireEqual(await ask(['dist/main.js'], '/report'), 'isolate: 33');
  });
