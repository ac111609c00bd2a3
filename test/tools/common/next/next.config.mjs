export default {
  output: 'standalone',
  serverExternalPackages: ['sloppy-workers'],
  outputFileTracingIncludes: {
    '/**': ['./lib/*.mjs', './node_modules/d3-dsv/**'],
  },
};
