// Compiles test/types against types/ as a user's strict project would, and
// runs tsd on its *.test-d.ts files.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './lib/files.mjs';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const bin = (path) => join(root, 'node_modules', path);
const files = listFiles(['test/types'], /\.(ts|mts|cts)$/);
const tsdFiles = files.filter((path) => path.endsWith('.test-d.ts'));

const tools = [];
if (files.length > 0) {
  tools.push([bin('typescript/bin/tsc'), '--project', 'test/types']);
}
if (tsdFiles.length > 0) {
  const typings = ['--typings', 'types/index.d.ts'];
  const tests = tsdFiles.flatMap((path) => ['--files', path]);
  tools.push([bin('tsd/dist/cli.js'), ...typings, ...tests]);
}

if (tools.length === 0 || !existsSync(join(root, 'types/index.d.ts'))) {
  skip('types', 'test/types or types/index.d.ts is not there');
} else {
  const counts = { passed: 0, failed: 0 };
  for (const tool of tools) {
    const status = await passThrough(process.execPath, tool, { cwd: root });
    counts[status === 0 ? 'passed' : 'failed'] += 1;
  }
  report('types', counts);
}
