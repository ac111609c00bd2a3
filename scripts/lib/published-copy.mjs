import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLibrary } from './library-bundle.mjs';
import { root } from './paths.mjs';

const LINKED = ['build', 'node_modules'];

/**
 * Copies the repository with the library in the form in which it is published;
 * binaries and dependencies are those of the repository.
 *
 * @param {string} folder is made anew
 * @param {string[]} more what to copy besides the library
 */
export function publishedCopy(folder, more = []) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ['lib', 'package.json', 'src', ...more]) {
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !path.endsWith('node_modules'),
    });
  }
  for (const name of LINKED) {
    symlinkSync(join(root, name), join(folder, name), 'junction');
  }
  bundleLibrary(folder);
}
