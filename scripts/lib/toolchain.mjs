// The tools that must be on the machine before CMake is worth a try: each lack
// is told in one line.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Problem } from './fail.mjs';
import { root, which } from './paths.mjs';
import { capture } from './run.mjs';

const apt = (packages) => `on Debian: apt-get install ${packages}`;

export function requireCmake() {
  if (!which('cmake')) {
    throw new Problem(
      `cmake is missing: install 3.21 or newer (${apt('cmake')})`,
    );
  }
  const { output } = capture('cmake', ['--version']);
  const [major, minor] =
    /(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number) ?? [];
  if (major > 3 || (major === 3 && minor >= 21)) return;
  throw new Problem(
    `cmake ${major}.${minor} is too old: install 3.21 or newer`,
  );
}

export function chooseGenerator() {
  if (which('ninja')) return 'Ninja';
  if (which('make')) return 'Unix Makefiles';
  throw new Problem(`neither ninja nor make is there (${apt('make')})`);
}

/** Node 26's V8 headers need std::source_location, the others only C++20. */
const probe = (major) =>
  [
    '#include <concepts>',
    '#include <version>',
    '#if __cplusplus < 202002L',
    '#error "no C++20"',
    '#endif',
    major >= 26 ? '#include <source_location>' : '',
    major >= 26
      ? 'auto here = std::source_location::current();'
      : 'template <std::integral T> T Same(T value) { return value; }',
  ].join('\n');

export function requireCompiler(compiler, major) {
  if (!which(compiler)) {
    throw new Problem(
      `no C++ compiler (${compiler}): install g++ 12 or newer (${apt('g++')})`,
    );
  }
  // clang-cl takes other options; CMake tries it.
  if (process.platform === 'win32') return;
  const { status } = capture(
    compiler,
    ['-std=gnu++20', '-fsyntax-only', '-x', 'c++', '-'],
    { stdio: ['pipe', 'pipe', 'pipe'], input: probe(major) },
  );
  if (status === 0) return;
  const { output } = capture(compiler, ['--version']);
  throw new Problem(
    `${output.split('\n')[0].trim()} cannot compile C++20 for Node ${major}: ` +
      'install g++ 12 or newer, or set CXX to another compiler',
  );
}

/** The folder with napi.h. */
export function findNodeAddonApi() {
  const require = createRequire(join(root, 'package.json'));
  try {
    return dirname(require.resolve('node-addon-api/package.json'));
  } catch {
    throw new Problem('node-addon-api is missing: run `npm ci` first');
  }
}
