// The core's GoogleTests (src/base to src/pool, no V8) on other C libraries
// and systems: npm run test:core -- musl win32
//
//   musl    linked statically, so it runs on this machine
//   win32   runs under wine, if /usr/lib/wine/wine64 is there; else it is only
//           compiled

import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { CORE_IDS, coreDefines } from './lib/cross.mjs';
import { main, Problem } from './lib/fail.mjs';
import { runGoogleTest } from './lib/gtest.mjs';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { logged } from './lib/run.mjs';
import { chooseGenerator, requireCmake } from './lib/toolchain.mjs';

const WINE = '/usr/lib/wine/wine64';

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

/** A home of its own for wine, which asks nobody and draws nothing. */
const wineEnv = (dir) => ({
  WINEPREFIX: join(dir, 'wine'),
  WINEDEBUG: '-all',
  WINEDLLOVERRIDES: 'mscoree,mshtml=',
});

async function testOn(id) {
  const dir = join(root, 'build', `core-${id}`);
  const suite = `unit on ${id}`;
  console.log(`building the core's tests for ${id}`);
  if (!build(id, dir)) {
    report(suite, { failed: 1 });
    return;
  }
  if (id !== 'win32') {
    const file = join(dir, 'sw_unit_tests');
    await runGoogleTest(suite, [file], { file, dir });
  } else if (existsSync(WINE)) {
    const file = join(dir, 'sw_unit_tests.exe');
    await runGoogleTest(suite, [WINE, file], { file, dir, env: wineEnv(dir) });
  } else {
    skip(suite, 'compiled, not run: on Debian, apt-get install wine64');
  }
}

await main(async () => {
  const ids = process.argv.slice(2);
  const unknown = ids.find((id) => !CORE_IDS.includes(id));
  if (unknown !== undefined || ids.length === 0) {
    const known = CORE_IDS.join(' ');
    throw new Problem(`usage: npm run test:core -- ${known}`);
  }
  requireCmake();
  for (const id of ids) await testOn(id);
});
