import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { files, redisOnly } = JSON.parse(
  readFileSync(new URL('./vitest.json', import.meta.url), 'utf8'),
);

export default defineConfig({
  test: {
    include: files.map((name) => `tests/${name}.test.ts`),
    testNamePattern: new RegExp(`^(?!.*(${redisOnly.join('|')})).*$`, 's'),
    setupFiles: ['./setup.mjs'],
    // The tests wait for times of their own, on machines that do other things.
    testTimeout: 10_000,
    hookTimeout: 10_000,
    retry: 1,
    fileParallelism: false,
    server: { deps: { inline: [/bullmq.dist/] } },
  },
});
