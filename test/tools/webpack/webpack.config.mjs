export default {
  mode: 'production',
  target: 'node20',
  entry: { app: './app.mjs', tasks: './tasks.mjs' },
  output: {
    filename: '[name].mjs',
    module: true,
    library: { type: 'module' },
  },
  experiments: { outputModule: true },
  externals: { 'sloppy-workers': 'module sloppy-workers' },
  // Keeps `import.meta.url`: where the bundle is, not where its source was.
  module: { parser: { javascript: { importMeta: false } } },
};
