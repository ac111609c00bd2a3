import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['inline/*.test.mjs'],
    // A busy machine takes longer than Vitest's five seconds.
    testTimeout: 120_000,
    server: { deps: { inline: ['sloppy-workers'] } },
  },
});
