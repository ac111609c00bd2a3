export default {
  // It has a binary, so it stays outside of bundles.
  serverExternalPackages: ['sloppy-workers'],
  // With `output: 'standalone'`: workers load these files.
  outputFileTracingIncludes: { '/**': ['./lib/*.mjs'] },
};
