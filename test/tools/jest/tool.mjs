export const packages = {
  '@babel/core': '7.29.13',
  '@babel/preset-env': '7.29.14',
  '@babel/preset-typescript': '7.29.7',
  '@swc/core': '1.16.22',
  '@swc/jest': '0.2.39',
  '@types/jest': '30.0.0',
  '@types/node': '20.19.43',
  jest: '30.5.2',
  'jest-environment-jsdom': '30.5.2',
  'ts-jest': '29.4.15',
  typescript: '5.9.3',
};
export const common = ['typescript'];

const run = async ({ tool, requireEqual }, TRANSFORM, more = {}) => {
  const { flags = [], ...variables } = more;
  const env = { TRANSFORM, ...variables };
  const { output } = await tool('jest', ['--ci', ...flags], { env });
  requireEqual(/Tests: +(.*)/.exec(output)?.[1], '2 passed, 2 total');
  requireEqual(/jobs\.ts/.test(output), flags.includes('--coverage'));
};

export default async ({ check, ...steps }) => {
  const coverage = { flags: ['--coverage'] };
  await check('babel-jest, Istanbul coverage', () =>
    run(steps, 'babel', coverage),
  );
  await check('ts-jest, Istanbul coverage', () => run(steps, 'ts', coverage));
  await check('@swc/jest, v8 coverage', () =>
    run(steps, 'swc', {
      flags: ['--coverage', '--coverageProvider=v8'],
    }),
  );
  await check('the jsdom environment', () =>
    run(steps, 'swc', { ENVIRONMENT: 'jsdom' }),
  );
  await check('a module in a process', () =>
    run(steps, 'swc', { RUNTIME: 'process' }),
  );
};
