import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { root } from './paths.mjs';
import { capture } from './run.mjs';

/**
 * Makes src/runtime/gen; files that are as they should be keep their dates.
 *
 * @param {string[]} nodes executables, whose library is made; default the
 *   running one
 */
export function makeBundles(nodes = [process.execPath]) {
  const script = join(root, 'scripts/bundle-runtime.mjs');
  const args = [script, ...nodes.flatMap((node) => ['--node', node])];
  const { status, output } = capture(process.execPath, args, { cwd: root });
  if (status === 0) return;
  throw new Problem(`src/runtime could not be bundled\n${output}`);
}
