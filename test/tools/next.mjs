// The part that is the same for each major version of Next.js.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { INLINE, TABLE } from './answers.mjs';

const CONFIG = 'next.config.mjs';
const ANSWER = `${INLINE}, ${TABLE}`;
const SAYS_SO = /serverExternalPackages in Next\.js/;

export const nextPackages = (version) => ({
  'd3-dsv': '3.0.1',
  next: version,
  react: '19.3.1',
  'react-dom': '19.3.1',
});

// The project is built and answers; or a step says what to configure.
async function runWithoutConfig(flags, { tool, ask, write }) {
  write(CONFIG, 'export default {};\n');
  let said;
  try {
    await tool('next', ['build', ...flags]);
    const next = 'node_modules/next/dist/bin/next';
    said = await ask([next, 'start'], '/api/report');
  } catch (error) {
    said = `${error.message}${error.stdout ?? ''}${error.stderr ?? ''}`;
  }
  if (said.trimEnd() === ANSWER || SAYS_SO.test(said)) return;
  throw new Error(`it does not say what to configure: ${said}`);
}

/** @param {string[][]} bundlers flags of `next build`, for each of them */
export const runNext = (bundlers) => async (steps) => {
  const { check, folder, tool, moveOut, ask, requireEqual } = steps;
  const config = readFileSync(join(folder, CONFIG), 'utf8');
  for (const flags of bundlers) {
    const label = ['without configuration', ...flags].join(' ');
    await check(label, () => runWithoutConfig(flags, steps));
    rmSync(join(folder, '.next'), { recursive: true, force: true });
  }
  steps.write(CONFIG, config);
  await check('standalone, out of its project', async () => {
    await tool('next', ['build']);
    const cwd = moveOut('.next/standalone');
    const answer = await ask(['server.js'], '/api/report', { cwd });
    requireEqual(answer.trimEnd(), ANSWER);
  });
};
