import { defineConfig } from 'vitest/config';

export default defineConfig({
  // A busy machine takes longer than Vitest's five seconds.
  test: { include: ['tests/vitest.mjs'], testTimeout: 120_000 },
});
