import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

export default defineNitroConfig({
  compatibilityDate: '2026-01-01',
  hooks: {
    // Nitro bundles routes; a tasks file goes beside its server as it is.
    compiled: ({ options: { output } }) =>
      copyFile('tasks.mjs', join(output.serverDir, 'tasks.mjs')),
  },
});
