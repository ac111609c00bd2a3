// Reads every file that includes V8 as a compiler for Windows does: with
// _WIN32 defined, the headers of Windows, and 32-bit `long`.
//
// Not covered: Microsoft's compiler and its standard library, what stands
// behind _MSC_VER, and linking, because node.lib has V8's names as Microsoft's
// compiler writes them. Those are the release workflow's.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { listFiles } from './files.mjs';
import { root, which } from './paths.mjs';
import { capture } from './run.mjs';

/** @returns {string | undefined} Debian's compiler for Windows */
export const syntaxCompiler = () => which('x86_64-w64-mingw32-g++-posix');

/** As cmake/options.cmake and cmake/addon.cmake have it for Windows. */
const DEFINES = [
  'NOMINMAX',
  'WIN32_LEAN_AND_MEAN',
  'NAPI_VERSION=9',
  'NODE_ADDON_API_CPP_EXCEPTIONS',
  'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
  'BUILDING_NODE_EXTENSION',
  'USING_UV_SHARED=1',
  'USING_V8_SHARED=1',
  'V8_DEPRECATION_WARNINGS=1',
  'NODE_GYP_MODULE_NAME=sloppy_workers',
];

// gcc reports results that a cast to void has dropped: see cmake/options.cmake.
const WARNINGS = [
  '-Wall',
  '-Wextra',
  '-Wshadow',
  '-Werror',
  '-Wno-unused-result',
];

/** @returns {string} the folder of embedded_js.h, as cmake/addon.cmake has it */
function embed(dir) {
  const folder = join(dir, 'generated');
  const sources = listFiles(['src/runtime/gen'], /\.gen\.js$/);
  const script = join(root, 'scripts/embed-js.mjs');
  const args = [script, folder, ...sources.map((file) => join(root, file))];
  const { status, output } = capture(process.execPath, args);
  if (status !== 0) throw new Error(output);
  return folder;
}

function check(args, file) {
  return new Promise((resolve, reject) => {
    const child = spawn(syntaxCompiler(), [...args, join(root, file)], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ file, code, output }));
  });
}

/**
 * @param {string} include Node's headers
 * @param {string} dir for embedded_js.h
 * @returns {Promise<{ passed: number, failed: number }>} files; what is wrong
 *   is printed
 */
export async function checkWindowsSyntax(include, dir) {
  const generated = embed(dir);
  const args = [
    '-std=gnu++20',
    '-fsyntax-only',
    '-fno-rtti',
    ...WARNINGS,
    ...DEFINES.map((name) => `-D${name}`),
    `-I${root}`,
    `-I${join(root, 'src')}`,
    `-I${generated}`,
    '-isystem',
    include,
    '-isystem',
    join(root, 'node_modules/node-addon-api'),
  ];
  const left = listFiles(['src/isolate', 'src/worker', 'binding'], /\.cc$/);
  const counts = { passed: 0, failed: 0 };
  const work = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      const { code, output } = await check(args, file);
      counts[code === 0 ? 'passed' : 'failed'] += 1;
      if (code !== 0) console.error(`${file}\n${output}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return counts;
}
