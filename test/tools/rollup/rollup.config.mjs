import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: ['app.mjs', 'tasks.mjs'],
  external: ['sloppy-workers'],
  plugins: [nodeResolve()],
  output: { dir: 'out', format: 'es', entryFileNames: '[name].mjs' },
};
