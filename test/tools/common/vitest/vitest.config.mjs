import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['jobs.test.ts'] },
  resolve: { alias: { '@app': new URL('./src', import.meta.url).pathname } },
});
