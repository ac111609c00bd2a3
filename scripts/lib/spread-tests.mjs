// Tests that take long, by the one Node that runs them for each change: two cores
// have no time for more. By night, and whenever somebody runs the suites, each
// Node runs all.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { root } from './paths.mjs';

const BY_NODE = {
  // Nothing in these differs between Nodes, or only the oldest has it.
  20: [
    'js/conformance/end-of-stack.test.js',
    'js/conformance/failed-start.test.js',
    'js/conformance/hooks-without-end.test.js',
    'js/executors/process/frames.test.js',
    'js/executors/process/life.test.js',
    'js/executors/simulation.test.js',
    'js/executors/thread/starts.test.js',
    'js/modules/typescript-imports.test.js',
    'scenario/cli-resume-random.mjs',
    'scenario/dashboard-in-browser.js',
    'scenario/servers-odd-clients.js',
  ],
  22: [
    'js/executors/patched-values.test.js',
    'js/executors/process/many-starts.test.js',
    'scenario/core-threads-memory.js',
    'scenario/core-threads-terminated.js',
    'scenario/hooks-in-system-calls.js',
    'scenario/module-graphs.js',
  ],
  24: [
    'js/executors/process/crashes.test.js',
    'js/executors/process/outside.test.js',
    'js/executors/sandbox/crashes.test.js',
    'js/executors/sandbox/outside.test.js',
    'js/modules/conditions.test.js',
    'scenario/core-memory.js',
    'scenario/neighbours-end-unasked.mjs',
  ],
  26: [
    'js/executors/sandbox/hostile-programs.test.js',
    'js/executors/sandbox/life.test.js',
    'js/executors/sandbox/many-starts.test.js',
    'js/modules/code-cache.test.js',
    'scenario/core-teardown.js',
  ],
};

/**
 * @param {string} major  a Node's
 * @returns {string[]} the files under test/ that it leaves to others
 * @throws {Problem} if one of them is not there any more
 */
export function leftToOthers(major) {
  const all = Object.values(BY_NODE).flat();
  const gone = all.find((name) => !existsSync(join(root, 'test', name)));
  if (gone) throw new Problem(`test/${gone} is not there: ${import.meta.url}`);
  return all.filter((name) => !BY_NODE[major]?.includes(name));
}

/** @returns {string[]} the files under test/ that this run leaves out */
export const leftOut = () =>
  process.env.SW_LEFT_OUT?.split(' ').filter(Boolean) ?? [];
