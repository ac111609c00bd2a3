// The part that is the same for each major version of Vitest.

export const vitestPackages = (version) => ({
  vitest: version,
  '@vitest/coverage-istanbul': version,
  '@vitest/coverage-v8': version,
});

const MODES = {
  'processes, v8 coverage': ['--pool=forks', '--coverage.provider=v8'],
  'threads, Istanbul coverage': [
    '--pool=threads',
    '--coverage.provider=istanbul',
  ],
};

export async function runVitest({ check, tool, requireEqual }) {
  // Vitest runs its files, as of a linked package outside of node_modules.
  await check('the package inlined', async () => {
    const config = ['--config', 'inline/vitest.config.mjs'];
    const { stdout } = await tool('vitest', ['run', ...config]);
    requireEqual(/Tests +(.*?) \(/.exec(stdout)?.[1], '2 passed');
  });
  for (const [mode, flags] of Object.entries(MODES)) {
    for (const RUNTIME of ['isolate', 'process']) {
      await check(`${mode}, runtime ${RUNTIME}`, async () => {
        const args = ['run', '--coverage.enabled', ...flags];
        const { stdout } = await tool('vitest', args, { env: { RUNTIME } });
        requireEqual(/Tests +(.*?) \(/.exec(stdout)?.[1], '2 passed');
        requireEqual(/jobs\.ts/.test(stdout), true);
      });
    }
  }
}
