// The demands of a Linux binary on the system that loads it.

import { which } from './paths.mjs';
import { capture } from './run.mjs';

/** Compares dotted versions. */
export function compareVersions(a, b) {
  const [left, right] = [a, b].map((text) => text.split('.').map(Number));
  for (let i = 0; i < Math.max(left.length, right.length); i += 1) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * The highest symbol versions in a listing of `readelf -V`.
 *
 * @param {string} listing
 * @returns {{ glibc?: string, libstdcxx?: string }} e.g. `2.28`, `3.4.25`
 */
export function readNeeds(listing) {
  const highest = (name) =>
    Array.from(
      listing.matchAll(new RegExp(`\\b${name}_(\\d+(?:\\.\\d+)+)`, 'g')),
      ([, version]) => version,
    )
      .sort(compareVersions)
      .at(-1);
  return { glibc: highest('GLIBC'), libstdcxx: highest('GLIBCXX') };
}

/** The needs of several binaries together; undefined without readelf. */
export function needsOf(files) {
  // Unlike objdump it reads the files of every processor.
  if (!which('readelf')) return undefined;
  const listings = files.map((file) => capture('readelf', ['-V', file]).stdout);
  return readNeeds(listings.join('\n'));
}
