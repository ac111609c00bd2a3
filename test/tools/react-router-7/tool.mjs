import { INLINE, TABLE } from '../answers.mjs';

const version = '7.18.4';

export const packages = {
  '@react-router/dev': version,
  '@react-router/node': version,
  '@react-router/serve': version,
  'd3-dsv': '3.0.1',
  isbot: '5.2.3',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'react-router': version,
  vite: '7.3.8',
};
export const common = ['bundled', 'route'];
export const manifest = { type: 'module' };
export const takesMinutes = true;

export default async ({ check, tool, ask, requireEqual }) => {
  const answer = `${INLINE}, ${TABLE}`;
  const args = [
    'node_modules/.bin/react-router-serve',
    'build/server/index.js',
  ];
  await check('a route of the built server', async () => {
    await tool('react-router', ['build']);
    requireEqual(await ask(args, '/report'), answer);
  });
  await check('a page that is rendered on the server', async () => {
    const page = await ask(args, '/');
    requireEqual(page.includes(`<p>${answer}</p>`), true);
  });
};
