import { INLINE } from '../answers.mjs';

export const packages = { nitropack: '2.13.6' };
export const takesMinutes = true;

export default async ({ check, tool, moveOut, ask, requireEqual }) =>
  check('its output, out of its project', async () => {
    await tool('nitropack', ['build']);
    const cwd = moveOut('.output');
    const answer = await ask(['server/index.mjs'], '/sum', { cwd });
    requireEqual(answer, INLINE);
  });
