import { defineConfig } from 'vite';

export default defineConfig({
  build: {
    ssr: true,
    outDir: 'out',
    rollupOptions: {
      input: ['app.mjs', 'tasks.mjs'],
      output: { entryFileNames: '[name].mjs' },
    },
  },
  // The tasks' imports go into their bundle; packages with a binary do not.
  ssr: { noExternal: ['d3-dsv'], external: ['sloppy-workers'] },
});
