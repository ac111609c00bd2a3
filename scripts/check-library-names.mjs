// The Nodes of other platforms, which do not run here, export the names by which
// isolates find OpenSSL, zlib, Brotli, zstd, ada and ICU:
//   node scripts/check-library-names.mjs [20 22 24 26]
//
// A library that lacks one name is not there at all (src/isolate/libraries), and
// what stands on it is absent. So each Node of each platform has all names, but
// for the libraries of ABSENT.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readElf } from './lib/elf.mjs';
import { main, Problem } from './lib/fail.mjs';
import { fetchNode, readMajors } from './lib/fetch-node.mjs';
import { readMachO } from './lib/mach-o.mjs';
import { fetchPackage } from './lib/npm-package.mjs';
import { root } from './lib/paths.mjs';
import { readPeExports } from './lib/pe.mjs';
import { report } from './lib/results.mjs';

const MAJORS = ['20', '22', '24', '26'];
const TABLES = ['crypto_names.h', 'plain_names.h'];
const PLATFORMS = ['linux-arm64', 'darwin-arm64', 'darwin-x64', 'win-x64'];
const isWindows = (platform) => platform.startsWith('win');

/** Libraries that a Node does not have, or does not show. */
const ABSENT = [
  // URLs are parsed by whatwg-url in that binary; compression is absent.
  // Widths of texts are those of src/runtime/node/icu.js.
  {
    libraries: ['URL', 'BROTLI', 'ZSTD', 'ICU'],
    on: isWindows,
    majors: MAJORS,
  },
  { libraries: ['ZSTD'], on: () => true, majors: ['20'] },
];

/** @returns {Map<string, string[]>} the names of each library */
function wantedNames() {
  const wanted = new Map();
  for (const table of TABLES) {
    const text = readFileSync(join(root, 'src/isolate/libraries', table));
    const macros = `${text}`.matchAll(/#define SW_(\w+)\(X\)((?:.*\\\n)*.*)/g);
    for (const [, name, body] of macros) {
      const names = Array.from(body.matchAll(/\bX\((\w+)\)/g), (m) => m[1]);
      if (names.length > 0) wanted.set(name, names);
    }
  }
  const text = readFileSync(join(root, 'src/isolate/libraries/libraries.cc'));
  const names = Array.from(`${text}`.matchAll(/"(\w+)", end\)/g), (m) => m[1]);
  if (names.length > 0) wanted.set('ICU', names);
  if (wanted.size < TABLES.length + 1) throw new Problem('no names are wanted');
  return wanted;
}

/** @returns {Set<string>} */
function exportsOf(platform, major) {
  if (isWindows(platform)) {
    const home = join(root, '.nodes', `${platform}-${major}`);
    const spec = `node-${platform}@${major}`;
    const file = fetchPackage(spec, home, { file: 'bin/node.exe' });
    return readPeExports(readFileSync(file));
  }
  const file = join(fetchNode(major, platform), 'bin/node');
  return platform.startsWith('darwin')
    ? readMachO(readFileSync(file)).exported
    : readElf(file).exported;
}

// ICU's names end in its version.
const withoutVersions = (names) =>
  Array.from(names, (name) =>
    name.replace(/^(u_\w+|ucnv_\w+|UCNV_\w+)_\d+$/, '$1'),
  );

function isExpected(library, platform, major) {
  return ABSENT.some(
    (row) =>
      row.libraries.includes(library) &&
      row.on(platform) &&
      row.majors.includes(major),
  );
}

main(() => {
  const words = process.argv.slice(2);
  const majors = readMajors(words.length > 0 ? words : MAJORS, 'majors');
  const wanted = wantedNames();
  const counts = { passed: 0, failed: 0 };
  for (const platform of PLATFORMS) {
    for (const major of majors) {
      const exported = new Set(withoutVersions(exportsOf(platform, major)));
      for (const [library, names] of wanted) {
        const missing = names.filter((name) => !exported.has(name));
        const isAbsent = isExpected(library, platform, major);
        if (missing.length > 0 === isAbsent) {
          counts.passed += 1;
          continue;
        }
        counts.failed += 1;
        const what = isAbsent ? 'is there' : `lacks ${missing.join(' ')}`;
        console.log(`FAIL ${platform} Node ${major}: ${library} ${what}`);
      }
    }
  }
  report('names of libraries', counts);
});
