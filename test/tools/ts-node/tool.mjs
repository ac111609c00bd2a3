import { BOTH, IN_NODE } from '../answers.mjs';

export const packages = {
  '@types/node': '20.19.43',
  'ts-node': '10.9.2',
  typescript: '5.9.3',
};
export const common = ['typescript'];

export default async ({ check, toolPrints, requireEqual }) => {
  await check('a program, types checked', async () =>
    requireEqual(await toolPrints('ts-node', ['app.ts']), BOTH),
  );
  await check('--transpile-only', async () =>
    requireEqual(await toolPrints('ts-node', ['-T', 'app.ts']), BOTH),
  );
  await check('a module in a thread', async () => {
    const env = { RUNTIME: 'thread' };
    requireEqual(await toolPrints('ts-node', ['app.ts'], { env }), IN_NODE);
  });
};
