import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Every file under the folders, as paths relative to the repository. */
export function listFiles(folders, pattern = /./) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
    )
    .map((path) => path.slice(root.length).replaceAll('\\', '/'))
    .map((path) => path.replace(/^\/+/, ''))
    .filter((path) => pattern.test(path))
    .sort();
}
