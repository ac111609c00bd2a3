import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of one build: every platform, ABI and preset side by side. */
export const buildDir = (abi, preset, platform = '') =>
  join(root, 'build', platform, `abi${abi}`, preset);

export const addonPath = (abi, preset = 'release', platform = '') =>
  join(buildDir(abi, preset, platform), 'sloppy_workers.node');

/** The full path of a command, or undefined when PATH does not have it. */
export function which(command) {
  if (command.includes('/')) return existsSync(command) ? command : undefined;
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, command + suffix))
    .find((path) => existsSync(path));
}
