// What is the same for each major version of Vitest.

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
  for (const [mode, flags] of Object.entries(MODES)) {
    await check(mode, async () => {
      const { stdout } = await tool('vitest', [
        'run',
        '--coverage.enabled',
        ...flags,
      ]);
      requireEqual(/Tests +(.*?) \(/.exec(stdout)?.[1], '2 passed');
      requireEqual(/jobs\.ts/.test(stdout), true);
    });
  }
}
