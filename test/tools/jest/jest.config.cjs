const transforms = {
  babel: [
    'babel-jest',
    {
      presets: [
        ['@babel/preset-env', { targets: { node: 'current' } }],
        '@babel/preset-typescript',
      ],
    },
  ],
  ts: ['ts-jest', {}],
  swc: ['@swc/jest', { jsc: { target: 'es2022' } }],
};

module.exports = {
  testEnvironment: process.env.ENVIRONMENT ?? 'node',
  testMatch: ['<rootDir>/jobs.test.ts'],
  // A busy machine takes longer than Jest's five seconds.
  testTimeout: 120_000,
  transform: { '\\.ts$': transforms[process.env.TRANSFORM] },
};
