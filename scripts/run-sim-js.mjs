// The library's own JavaScript in simulated worlds (test/sim-js):
//
//   npm run test:sim:js                       for CI: some thousands of each kind
//   npm run test:sim:js -- --worlds N --seed S [--kind queue]
//   npm run test:sim:js -- --seed today       other worlds each day
//   npm run test:sim:js -- --kind K --replay S  shows the steps of one
//   npm run test:sim:js -- --faults [part]    each fault of planted-faults.json
//                                             is put into a copy, and must be
//                                             found

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';

const PROGRAM = 'test/sim-js/main.js';
// A fault that makes a world endless is found as well.
const LIMIT_MS = 300_000;

function plant(folder, { file, find, replace }) {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(find).length !== 2) {
    throw new Problem(`${file} has not once: ${find}`);
  }
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  return () => writeFileSync(path, text);
}

const simulate = (folder, ...args) =>
  spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 2 ** 28,
  });

function found(folder, kind) {
  const ran = simulate(folder, '--worlds', '5000', '--kind', kind);
  if (ran.status === 0) return undefined;
  const at = ran.stdout.lastIndexOf('\nFAIL ');
  if (at < 0) return `${ran.signal} ${ran.stderr.slice(0, 300)}`;
  return ran.stdout
    .slice(at + 1)
    .split('\n')
    .slice(0, 2)
    .join(' ');
}

function faults(part = '') {
  const folder = mkdtempSync(join(tmpdir(), 'sw-faults-js-'));
  const counts = { passed: 0, failed: 0 };
  try {
    for (const name of ['lib', 'test/sim-js', 'src/base', 'package.json']) {
      cpSync(join(root, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    // A copy that fails by itself would find each of them.
    const alone = simulate(folder, '--worlds', '20');
    if (alone.status !== 0) {
      throw new Problem(`the copy fails: ${alone.stderr.slice(0, 300)}`);
    }
    const all = JSON.parse(
      readFileSync(join(root, 'test/sim-js/planted-faults.json'), 'utf8'),
    );
    for (const row of all.filter(({ name }) => name.includes(part))) {
      const takeOut = plant(folder, row);
      const how = found(folder, row.kind);
      takeOut();
      counts[how === undefined ? 'failed' : 'passed'] += 1;
      console.log(`${how ? 'found' : 'MISSED'}: ${row.name}\n  ${how ?? ''}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  report('planted faults in JavaScript', counts);
}

await main(async () => {
  const args = process.argv.slice(2);
  if (args[0] === '--faults') {
    faults(args[1]);
    return;
  }
  const command = [join(root, PROGRAM), ...args];
  const status = await passThrough(process.execPath, command, { cwd: root });
  const isGood = status === 0;
  report('simulation of JavaScript', isGood ? { passed: 1 } : { failed: 1 });
});
