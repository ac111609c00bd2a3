import { defineConfig } from 'vitest/config';

export default defineConfig({
  // A busy machine takes longer than Vitest's five seconds.
  test: { include: ['jobs.test.ts'], testTimeout: 120_000 },
  resolve: { alias: { '@app': new URL('./src', import.meta.url).pathname } },
});
