import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { root } from './paths.mjs';
import { capture } from './run.mjs';

/** Makes src/runtime/gen; files that are as they should be keep their dates. */
export function makeBundles() {
  const script = join(root, 'scripts/bundle-runtime.mjs');
  const { status, output } = capture(process.execPath, [script], { cwd: root });
  if (status === 0) return;
  throw new Problem(`src/runtime could not be bundled\n${output}`);
}
