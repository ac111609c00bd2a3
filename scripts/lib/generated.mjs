import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './paths.mjs';

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Writes derived files, of which git has the result. With --check nothing is
 * written: a stale output is named and the exit code is 1.
 *
 * @param {Record<string, string>} texts by path in the repository
 */
export function writeGenerated(texts) {
  for (const [name, text] of Object.entries(texts)) {
    const path = join(root, name);
    if (readIfThere(path) === text) continue;
    if (process.argv.includes('--check')) {
      console.error(`${name} is stale: run \`npm run gen\` and commit it`);
      process.exitCode = 1;
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      console.log(`wrote ${name}`);
    }
  }
}
