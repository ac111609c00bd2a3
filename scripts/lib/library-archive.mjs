// The texts of Node's library for all ABIs, as the published package has them:
// in one file, because they are much the same, and npm's own compression sees
// no more than 32 KiB at a time. A build from source takes out those it needs.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const NAME = 'libraries.json.br';
const LARGEST_WINDOW = 24;

const isAbi = (name) => /^\d+$/.test(name);

/**
 * Puts the folders of all ABIs into the archive, and removes them.
 *
 * @param {string} gen the folder src/runtime/gen
 */
export function archiveLibraries(gen) {
  const abis = readdirSync(gen).filter(isAbi);
  const texts = {};
  for (const abi of abis) {
    for (const file of readdirSync(join(gen, abi))) {
      // Sorts by their names first, so that like texts are beside each other.
      texts[file] ??= {};
      texts[file][abi] = readFileSync(join(gen, abi, file), 'utf8');
    }
  }
  const bytes = Buffer.from(JSON.stringify(texts));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: LARGEST_WINDOW,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(join(gen, NAME), brotliCompressSync(bytes, { params }));
  for (const abi of abis) rmSync(join(gen, abi), { recursive: true });
}

/**
 * Makes the folder of one ABI from the archive.
 *
 * @param {string} gen the folder src/runtime/gen
 * @param {string} abi
 * @returns {boolean} whether it is there
 */
export function takeLibrary(gen, abi) {
  const folder = join(gen, abi);
  if (existsSync(folder)) return true;
  const archive = join(gen, NAME);
  if (!existsSync(archive)) return false;
  const texts = JSON.parse(brotliDecompressSync(readFileSync(archive)));
  const files = Object.entries(texts).filter(([, byAbi]) => abi in byAbi);
  if (files.length === 0) return false;
  mkdirSync(folder);
  for (const [file, byAbi] of files) {
    writeFileSync(join(folder, file), byAbi[abi]);
  }
  return true;
}
