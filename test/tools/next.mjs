// What is the same for each major version of Next.js.

import { INLINE, TABLE } from './answers.mjs';

export const nextPackages = (version) => ({
  'd3-dsv': '3.0.1',
  next: version,
  react: '19.3.1',
  'react-dom': '19.3.1',
});

export const runNext = async ({ check, tool, moveOut, ask, requireEqual }) =>
  check('standalone, out of its project', async () => {
    await tool('next', ['build']);
    const cwd = moveOut('.next/standalone');
    const answer = await ask(['server.js'], '/api/report', { cwd });
    requireEqual(answer.trimEnd(), `${INLINE}, ${TABLE}`);
  });
