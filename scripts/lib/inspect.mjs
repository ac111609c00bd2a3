// Whether a binary will load where it is meant to: what it asks for against
// what the Node of that platform has, what it gives away, how large it is.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { MAX_GLIBC, MIN_MACOS } from './cross.mjs';
import { readElf } from './elf.mjs';
import { readMachO } from './mach-o.mjs';
import { compareVersions } from './needs.mjs';
import { root } from './paths.mjs';

const MAX_MEGABYTES = 6;
const OURS = [
  'napi_register_module_v1',
  'node_api_module_get_api_version_v1',
  // The process of a sandbox calls it (src/sandbox/host_main.cc).
  '__libc_start_main',
];

/** The places of the compiler, its headers and this repository. */
const places = [
  root,
  homedir() === '/' ? undefined : `${homedir()}/`,
  '/build/toolchains/',
  '/usr/include/',
  '/usr/lib/gcc',
  '/usr/aarch64-linux-gnu/',
].filter(Boolean);

/** Stands in place of Alpine's, which has the same names. */
const MUSL = [
  '/usr/lib/x86_64-linux-musl/libc.so',
  '/usr/lib/x86_64-linux-gnu/libstdc++.so.6',
  '/lib/x86_64-linux-gnu/libgcc_s.so.1',
];

function inspectGlibc({ needed, libraries }, node, tell) {
  const versions = needed.map(({ version }) => version ?? '');
  const newest = versions
    .map((version) => /^GLIBC_([\d.]+)$/.exec(version)?.[1])
    .filter(Boolean)
    .sort(compareVersions)
    .at(-1);
  if (compareVersions(newest ?? '0', MAX_GLIBC) > 0) {
    tell(`needs glibc ${newest}, newer than ${MAX_GLIBC}`);
  }
  if (versions.some((version) => /^(GLIBCXX|CXXABI)_/.test(version))) {
    tell('needs a C++ library of the system');
  }
  if (libraries.includes('libstdc++.so.6')) tell('loads libstdc++');
  const missing = needed.filter(
    ({ name, version, weak }) => !version && !weak && !node.exported.has(name),
  );
  return { missing, notes: [`glibc ${newest}`] };
}

function inspectMusl({ needed, libraries }, node, tell) {
  if (needed.some(({ version }) => /^GLIBC_/.test(version ?? ''))) {
    tell('needs glibc');
  }
  if (libraries.includes('libc.so.6')) tell('loads glibc');
  const absent = MUSL.filter((file) => !existsSync(file));
  if (absent.length > 0) {
    // Then only what Node must have can be told from what the system has.
    const missing = needed.filter(
      ({ name }) =>
        /^(_ZNK?2v8|_ZNK?4node|uv_|napi_)/.test(name) &&
        !node.exported.has(name),
    );
    const notes = [
      `names of the C library not compared: no ${absent[0]} (on Debian: apt-get install musl)`,
    ];
    return { missing, notes };
  }
  const there = [node, ...MUSL.map((file) => readElf(file))];
  const missing = needed.filter(
    ({ name, weak }) =>
      !weak && !there.some(({ exported }) => exported.has(name)),
  );
  return { missing, notes: ['musl'] };
}

function inspectLinux(platform, file, nodeFile, tell) {
  const binary = readElf(file);
  if (binary.cpu !== platform.cpu) tell(`is for ${binary.cpu}`);
  const others = [...binary.exported].filter((name) => !OURS.includes(name));
  if (others.length > 0) tell(`exports ${others.length} names: ${others[0]}`);
  const inspect = platform.libc === 'musl' ? inspectMusl : inspectGlibc;
  return inspect(binary, readElf(nodeFile), tell);
}

function inspectMac(platform, file, nodeFile, tell) {
  const binary = readMachO(readFileSync(file));
  const node = readMachO(readFileSync(nodeFile));
  if (binary.cpu !== platform.cpu) tell(`is for ${binary.cpu}`);
  if (compareVersions(binary.minimum, MIN_MACOS) > 0) {
    tell(`needs macOS ${binary.minimum}, newer than ${MIN_MACOS}`);
  }
  // The kernel there runs nothing else.
  if (platform.cpu === 'arm64' && !binary.signed) tell('is not signed');
  const others = binary.libraries.filter(
    (path) => path !== '/usr/lib/libSystem.B.dylib',
  );
  if (others.length > 0) tell(`loads ${others.join(', ')}`);
  if (binary.flat.length === 0) tell('asks for no name of Node');
  const missing = binary.flat
    .filter((name) => !node.exported.has(name))
    .map((name) => ({ name }));
  return {
    missing,
    notes: [
      `macOS ${binary.minimum}`,
      binary.signed ? 'signed ad hoc' : 'not signed',
      `${binary.flat.length} names of Node`,
    ],
  };
}

/**
 * @param {object} platform a row of PLATFORMS
 * @param {string} file an addon for it
 * @param {string} nodeFile the Node that it is for; on musl, where npm has
 *   none, that for glibc, which exports the same
 * @returns {{ problems: string[], notes: string[] }}
 */
export function inspectBinary(platform, file, nodeFile) {
  const problems = [];
  const tell = (problem) => problems.push(problem);
  const inspect = platform.os === 'darwin' ? inspectMac : inspectLinux;
  const { missing, notes } = inspect(platform, file, nodeFile, tell);
  if (missing.length > 0) {
    const some = missing.slice(0, 3).map(({ name }) => name);
    tell(`${missing.length} names are nowhere: ${some.join(', ')}`);
  }
  const text = readFileSync(file, 'latin1');
  for (const place of places) {
    if (text.includes(place)) tell(`names a folder of this machine: ${place}`);
  }
  const megabytes = statSync(file).size / 1e6;
  if (megabytes > MAX_MEGABYTES) tell(`has ${megabytes.toFixed(1)} MB`);
  return { problems, notes: [...notes, `${megabytes.toFixed(1)} MB`] };
}
