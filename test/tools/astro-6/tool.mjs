import { INLINE, TABLE } from '../answers.mjs';

export const packages = {
  '@astrojs/node': '10.1.4',
  astro: '6.4.8',
  'd3-dsv': '3.0.1',
};
export const common = ['bundled', 'route'];
export const manifest = { type: 'module' };
/** The oldest Node that it takes. */
export const nodes = '22';
export const takesMinutes = true;

export default async ({ check, tool, ask, requireEqual }) =>
  check('a standalone server, without configuration', async () => {
    const env = { ASTRO_TELEMETRY_DISABLED: '1', HOST: '127.0.0.1' };
    await tool('astro', ['build'], { env });
    const answer = await ask(['dist/server/entry.mjs'], '/report', { env });
    requireEqual(answer, `${INLINE}, ${TABLE}`);
  });
