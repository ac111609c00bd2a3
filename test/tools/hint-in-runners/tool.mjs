// The hint of an error in the reports of test runners.

export const packages = {
  jest: '30.5.2',
  mocha: '12.0.3',
  vitest: '4.1.12',
};
export const takesMinutes = true;

const HINT = 'use map() for many inputs, or raise maxQueued';

export default async ({ check, node, run, tool, requireEqual }) => {
  // How often, of which 2 stands for more than once.
  const shows = (name, times, start) =>
    check(name, async () => {
      const { stdout, stderr } = await start().then(
        () => {
          throw new Error('the test passed');
        },
        (error) => error,
      );
      const output = `${stdout}${stderr}`;
      requireEqual(output.includes('SLOPPY_E_WORK_QUEUE_FULL'), true);
      const shown = output.split(HINT).length - 1;
      requireEqual(Math.min(shown, times), times);
      if (times < 2) requireEqual(shown, times);
    });
  const ofNode = (reporter) => () =>
    run(node, ['--test', `--test-reporter=${reporter}`, 'tests/node.cjs']);
  await shows('Jest', 1, () => tool('jest', ['--ci']));
  await shows('Mocha', 1, () => tool('mocha', ['tests/mocha.cjs']));
  await shows('Vitest, verbose', 1, () =>
    tool('vitest', ['run', '--reporter=verbose']),
  );
  // It shows the stack and the properties, both at the failure and at the end.
  await shows('node --test, spec', 2, ofNode('spec'));
  // TAP has the message only.
  await shows('node --test, tap', 0, ofNode('tap'));
};
