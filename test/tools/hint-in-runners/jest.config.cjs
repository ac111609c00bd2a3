module.exports = {
  testMatch: ['<rootDir>/tests/jest.cjs'],
  // A busy machine takes longer than Jest's five seconds.
  testTimeout: 120_000,
};
