'use strict';
// The platforms with binaries: one npm package for each, with one file for each
// ABI of Node. Read by the loader, by scripts/pack-all.mjs and by the test of
// the release workflow.

const SCOPE = '@sloppy-workers';

/** `libc` as npm writes it in a manifest; only Linux has a choice. */
const PLATFORMS = [
  { id: 'linux-x64-gnu', os: 'linux', cpu: 'x64', libc: 'glibc' },
  { id: 'linux-x64-musl', os: 'linux', cpu: 'x64', libc: 'musl' },
  { id: 'linux-arm64-gnu', os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { id: 'linux-arm64-musl', os: 'linux', cpu: 'arm64', libc: 'musl' },
  { id: 'darwin-x64', os: 'darwin', cpu: 'x64' },
  { id: 'darwin-arm64', os: 'darwin', cpu: 'arm64' },
  { id: 'win32-x64', os: 'win32', cpu: 'x64' },
];

/** Major versions of Node and the ABI of each. */
const ABIS = { 20: '115', 22: '127', 24: '137', 26: '147' };

const packageOf = (id) => `${SCOPE}/${id}`;
const binaryOf = (abi) => `abi${abi}.node`;

/** The id of a platform, even if it has no package. */
function platformId(os, cpu, libc) {
  const suffix = { glibc: '-gnu', musl: '-musl' }[libc] ?? '';
  return `${os}-${cpu}${suffix}`;
}

const MUSL_NAMES = { x64: 'x86_64', arm64: 'aarch64' };

/** Path of musl's dynamic loader. */
const muslLoader = (cpu) => `/lib/ld-musl-${MUSL_NAMES[cpu]}.so.1`;

module.exports = {
  ABIS,
  PLATFORMS,
  binaryOf,
  muslLoader,
  packageOf,
  platformId,
};
