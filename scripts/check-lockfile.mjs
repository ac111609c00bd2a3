// The lockfile must work on every platform and from any registry:
//   node scripts/check-lockfile.mjs [--fix] [folder]
//
// - npm leaves out a platform's optional package when the registry in use does
//   not have it, and `npm ci` then refuses the lockfile. --fix writes the
//   entry: its version is pinned by the package that asks for it, its os and
//   cpu are in its name.
// - No entry may have a download address, and only such an optional package,
//   whose tarball is out of reach here, may be without its integrity.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';

const folder = process.argv.slice(2).find((word) => word !== '--fix') ?? '';
const path = join(root, folder, 'package-lock.json');
const lock = JSON.parse(readFileSync(path, 'utf8'));
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'openbsd',
  'openharmony',
  'win32',
];
const processors = [
  'arm',
  'arm64',
  'ia32',
  'loong64',
  'ppc64',
  'riscv64',
  's390x',
  'wasm32',
  'x64',
];

/** `@scope/binding-linux-arm64-musl` says where it belongs. */
function platformOf(name) {
  const words = name.split(/[/-]/);
  const libc = words.find((word) => /^(gnu|musl)/.test(word));
  return {
    os: systems.filter((word) => words.includes(word)),
    cpu: processors.filter((word) => words.includes(word)),
    ...(libc && { libc: [libc.startsWith('gnu') ? 'glibc' : 'musl'] }),
  };
}

/** The places where node would look for `name` from the folder of `parent`. */
function isThere(parent, name) {
  const folders = [parent];
  for (let at = parent; at.includes('/node_modules/'); ) {
    at = at.slice(0, at.lastIndexOf('/node_modules/'));
    folders.push(at);
  }
  return [...folders.map((folder) => `${folder}/`), ''].some(
    (prefix) => lock.packages[`${prefix}node_modules/${name}`],
  );
}

const missing = Object.entries(lock.packages).flatMap(([parent, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name, version]) => {
      const pinned = /^\d+\.\d+\.\d+/.test(version);
      return pinned && !isThere(parent, name);
    })
    .map(([name, version]) => ({ name, version, dev: entry.dev })),
);
const addressed = Object.keys(lock.packages).filter(
  (name) => lock.packages[name].resolved,
);
const unchecked = Object.entries(lock.packages)
  .filter(([name, entry]) => name && !entry.optional && !entry.integrity)
  .map(([name]) => name);

if (process.argv.includes('--fix')) {
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) =>
    a.localeCompare(b, 'en'),
  );
  lock.packages = Object.fromEntries(sorted);
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(`${missing.length} entries added to the lockfile`);
} else if (missing.length + addressed.length + unchecked.length > 0) {
  for (const name of unchecked) console.error(`${name} has no integrity`);
  for (const name of addressed) console.error(`${name} has a download address`);
  for (const { name } of missing) console.error(`${name} has no entry`);
  console.error(`run node scripts/check-lockfile.mjs --fix ${folder}`);
  process.exitCode = 1;
}
