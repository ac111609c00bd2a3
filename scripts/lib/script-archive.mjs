// The scripts of src/runtime/gen, as the published package has them: in one
// file, because those of all ABIs are much the same, and npm's own compression
// sees no more than 32 KiB at a time. A build from source takes out those it
// needs.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

const NAME = 'scripts.json.br';
const LARGEST_WINDOW = 24;

const isAbi = (name) => /^\d+$/.test(name);
const isScript = (path) => path.endsWith('.gen.js');

/** [folder below gen, file] of each script. */
function scriptsIn(gen) {
  return readdirSync(gen, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) {
      return isScript(entry.name) ? [['', entry.name]] : [];
    }
    const names = readdirSync(join(gen, entry.name)).filter(isScript);
    return names.map((name) => [entry.name, name]);
  });
}

/**
 * Puts all scripts into the archive, and removes them.
 *
 * @param {string} gen the folder src/runtime/gen
 */
export function archiveScripts(gen) {
  const scripts = scriptsIn(gen);
  const texts = {};
  for (const [folder, file] of scripts) {
    // Sorts by their names first, so that like texts are beside each other.
    texts[file] ??= {};
    texts[file][folder] = readFileSync(join(gen, folder, file), 'utf8');
  }
  const bytes = Buffer.from(JSON.stringify(texts));
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: LARGEST_WINDOW,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  writeFileSync(join(gen, NAME), brotliCompressSync(bytes, { params }));
  for (const [folder, file] of scripts) {
    rmSync(folder === '' ? join(gen, file) : join(gen, folder), {
      recursive: true,
      force: true,
    });
  }
}

/**
 * Takes the scripts of one ABI, and those of all, out of the archive.
 *
 * @param {string} gen the folder src/runtime/gen
 * @param {string} abi
 * @returns {boolean} whether those of the ABI are there
 */
export function takeScripts(gen, abi) {
  if (existsSync(join(gen, abi))) return true;
  const archive = join(gen, NAME);
  if (!existsSync(archive)) return false;
  const texts = JSON.parse(brotliDecompressSync(readFileSync(archive)));
  const rows = Object.entries(texts).flatMap(([file, byFolder]) =>
    Object.entries(byFolder)
      .filter(([folder]) => folder === abi || !isAbi(folder))
      .map(([folder, text]) => [join(folder, file), text]),
  );
  for (const [path, text] of rows) {
    mkdirSync(join(gen, dirname(path)), { recursive: true });
    writeFileSync(join(gen, path), text);
  }
  return existsSync(join(gen, abi));
}
