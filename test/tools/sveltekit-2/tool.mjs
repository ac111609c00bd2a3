import { INLINE, TABLE } from '../answers.mjs';

export const packages = {
  '@sveltejs/adapter-node': '5.5.7',
  '@sveltejs/kit': '2.70.4',
  '@sveltejs/vite-plugin-svelte': '7.3.1',
  'd3-dsv': '3.0.1',
  svelte: '5.57.3',
  vite: '8.3.8',
};
export const common = ['bundled', 'route'];
export const manifest = { name: 'app', version: '1.0.0', type: 'module' };
export const takesMinutes = true;

const CONFIG = `
import adapter from '@sveltejs/adapter-node';

export default { kit: { adapter: adapter() } };
`;

export default async ({ check, tool, ask, write, requireEqual }) =>
  check('a server of adapter-node, without configuration', async () => {
    write('svelte.config.js', CONFIG);
    await tool('vite', ['build', '--logLevel=warn']);
    const answer = await ask(['build/index.js'], '/report');
    requireEqual(answer, `${INLINE}, ${TABLE}`);
  });
