// The core's GoogleTests (src/base to src/pool, no V8) on other C libraries
// and systems: npm run test:core -- musl win32
//
//   musl    linked statically, so it runs on this machine
//   win32   runs under wine, if /usr/lib/wine/wine64 is there; else it is only
//           compiled. What includes V8 is read by mingw's compiler
//           (lib/windows-syntax.mjs), against the headers of this Node or of
//           those in --nodes 20,24

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CORE_IDS, coreDefines } from './lib/cross.mjs';
import { main, Problem } from './lib/fail.mjs';
import { fetchNode, readMajors } from './lib/fetch-node.mjs';
import { runGoogleTest } from './lib/gtest.mjs';
import { describeNode, findHeaders } from './lib/node-target.mjs';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { logged } from './lib/run.mjs';
import { chooseGenerator, requireCmake } from './lib/toolchain.mjs';
import { checkWindowsSyntax, syntaxCompiler } from './lib/windows-syntax.mjs';
import { stopWine, WINE, wineEnv, winePath } from './lib/wine.mjs';

const LEFT_OUT = {
  // FlushProcessWriteBuffers() of wine 8 does nothing.
  win32: ['LightFence.TwoThreadsCannotBothMissTheOthersWrite'],
};

const USAGE = `npm run test:core -- ${CORE_IDS.join(' ')}`;

const { values: options, positionals: ids } = parseArgs({
  allowPositionals: true,
  options: { nodes: { type: 'string' } },
});

/** @returns {boolean} whether it was built */
function build(id, dir) {
  mkdirSync(dir, { recursive: true });
  const log = join(dir, 'build.log');
  const defines = Object.entries(coreDefines(id)).map(
    ([name, value]) => `-D${name}=${value}`,
  );
  const steps = [
    ['-S', root, '-B', dir, '-G', chooseGenerator(), ...defines],
    ['--build', dir, '--parallel', '--target', 'sw_unit_tests'],
  ];
  const done = steps.every((args) => logged('cmake', args, log) === 0);
  if (!done) console.error(`see ${relative(root, log)}`);
  return done;
}

async function runUnderWine(suite, dir) {
  const file = join(dir, 'sw_unit_tests.exe');
  if (!existsSync(WINE)) {
    skip(suite, 'compiled, not run: on Debian, apt-get install wine64');
    return;
  }
  for (const name of LEFT_OUT.win32) skip(name, "wine's fence does nothing");
  // Not in this folder: a drive of it is a link to all of this machine's files.
  const home = mkdtempSync(join(tmpdir(), 'sw-wine-'));
  const env = wineEnv(home);
  const filter = `--gtest_filter=-${LEFT_OUT.win32.join(':')}`;
  const how = { file, dir, env, pathThere: winePath };
  try {
    await runGoogleTest(suite, [WINE, file, filter], how);
  } finally {
    stopWine(env);
    rmSync(home, { recursive: true, force: true });
  }
}

async function readAsWindows(dir) {
  if (!syntaxCompiler()) {
    skip(
      'V8 as on Windows',
      'on Debian, apt-get install g++-mingw-w64-x86-64-posix',
    );
    return;
  }
  const majors = options.nodes
    ? readMajors(options.nodes.split(','), `${USAGE} --nodes 20,24`)
    : [undefined];
  for (const major of majors) {
    const node = describeNode(major && fetchNode(major));
    const counts = await checkWindowsSyntax(findHeaders(node), dir);
    report(`V8 as on Windows, Node ${node.major}`, counts);
  }
}

async function testOn(id) {
  const dir = join(root, 'build', `core-${id}`);
  const suite = `unit on ${id}`;
  console.log(`building the core's tests for ${id}`);
  if (!build(id, dir)) {
    report(suite, { failed: 1 });
  } else if (id === 'win32') {
    await runUnderWine(suite, dir);
    await readAsWindows(dir);
  } else {
    const file = join(dir, 'sw_unit_tests');
    await runGoogleTest(suite, [file], { file, dir });
  }
}

await main(async () => {
  const unknown = ids.find((id) => !CORE_IDS.includes(id));
  if (unknown !== undefined || ids.length === 0) {
    throw new Problem(`usage: ${USAGE}`);
  }
  requireCmake();
  for (const id of ids) await testOn(id);
});
