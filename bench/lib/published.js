'use strict';

const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/**
 * The library in the form in which it is published, whose files are few.
 *
 * @returns {Promise<{ env: object, remove: () => void }>} what a program finds
 *   it by, in place of the repository's (library.js)
 */
async function publishedLibrary() {
  const { publishedCopy } = await import(
    '../../scripts/lib/published-copy.mjs'
  );
  const folder = mkdtempSync(join(tmpdir(), 'sw-bench-'));
  publishedCopy(folder);
  return {
    env: { SLOPPY_BENCH_ROOT: folder },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

module.exports = { publishedLibrary };
