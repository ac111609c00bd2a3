// The first file of the executable; the addon lies beside it.
const { dirname, join } = require('node:path');

process.env.SLOPPY_WORKERS_BINARY ??= join(
  dirname(process.execPath),
  'sloppy_workers.node',
);
if (process.argv.includes('--module')) require('./beside.cjs');
else require('./inline.mjs');
