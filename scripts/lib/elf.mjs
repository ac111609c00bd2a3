// Facts that a binary for Linux states of itself, by readelf, which reads those
// of every processor.

import { Problem } from './fail.mjs';
import { which } from './paths.mjs';
import { capture } from './run.mjs';

function readelf(flags, file) {
  if (!which('readelf')) {
    throw new Problem(
      'readelf is missing: on Debian, apt-get install binutils',
    );
  }
  const { status, stdout, output } = capture('readelf', [...flags, file]);
  if (status !== 0) throw new Problem(output);
  return stdout;
}

const MACHINES = { 'Advanced Micro Devices X86-64': 'x64', AArch64: 'arm64' };

/**
 * The lines of `readelf --dyn-syms`.
 *
 * @param {string} listing
 * @returns {{ exported: Set<string>, needed: { name: string,
 *   version?: string, weak: boolean }[] }}
 */
export function readSymbols(listing) {
  const exported = new Set();
  const needed = [];
  const row =
    /^ *\d+: [0-9a-f]+ +\w+ \w+ +(GLOBAL|WEAK|UNIQUE) +(\w+) +(\w+) (\S+)/gm;
  for (const [, bind, visible, section, full] of listing.matchAll(row)) {
    const [name, version] = full.split(/@+/);
    if (section === 'UND') {
      needed.push({ name, version, weak: bind === 'WEAK' });
    } else if (visible !== 'HIDDEN') exported.add(name);
  }
  return { exported, needed };
}

/**
 * @param {string} file
 * @returns {{ cpu: string, libraries: string[], exported: Set<string>,
 *   needed: object[] }}
 */
export function readElf(file) {
  const header = readelf(['-hW'], file);
  const dynamic = readelf(['-dW'], file);
  return {
    cpu: MACHINES[/Machine: +(.+)/.exec(header)?.[1].trim()],
    libraries: Array.from(
      dynamic.matchAll(/\(NEEDED\).*\[(.+)\]/g),
      ([, name]) => name,
    ),
    ...readSymbols(readelf(['--dyn-syms', '-W'], file)),
  };
}
