// Every check that needs no build. Each is told by name; one that cannot run
// on this machine is told as SKIPPED.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  clangFormatMajor,
  findClangFormat,
  nativeFiles,
} from './lib/clang-format.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { capture } from './lib/run.mjs';

const script = (name, ...args) => [
  process.execPath,
  join(root, 'scripts', name),
  ...args,
];

function clangFormatCheck() {
  const command = findClangFormat();
  if (!command) return { skip: `clang-format ${clangFormatMajor} is missing` };
  return { command: [command, '--dry-run', '--Werror', ...nativeFiles()] };
}

/** The check of the running Node and of those that npm run test:matrix has fetched. */
function inspectorCheck() {
  const can =
    process.platform === 'linux' &&
    process.arch === 'x64' &&
    ['nm', 'readelf'].every(
      (tool) => capture(tool, ['--version']).status === 0,
    );
  if (!can) return { skip: 'it reads Linux executables with nm and readelf' };
  const fetched = [22, 24, 26]
    .map((major) => join(root, `.nodes/${major}/bin/node`))
    .filter((node) => existsSync(node));
  const nodes = [process.execPath, ...fetched];
  return { command: script('check-inspector-abi.mjs', ...nodes) };
}

const checks = {
  biome: {
    command: [
      process.execPath,
      join(root, 'node_modules/@biomejs/biome/bin/biome'),
      'check',
      '--error-on-warnings',
      '--colors=off',
    ],
  },
  'clang-format': clangFormatCheck(),
  diagnostics: { command: script('gen-diagnostics.mjs', '--check') },
  protocol: { command: script('gen-protocol.mjs', '--check') },
  options: { command: script('gen-options.mjs', '--check') },
  lockfile: { command: script('check-lockfile.mjs') },
  "site's lockfile": { command: script('check-lockfile.mjs', 'site') },
  "inspector's ABI": inspectorCheck(),
  layers: { command: script('check-layers.mjs') },
  size: { command: script('check-size.mjs') },
};

const counts = { passed: 0, failed: 0, skipped: 0 };
for (const [name, check] of Object.entries(checks)) {
  if (check.skip) {
    console.log(`  SKIPPED ${name}: ${check.skip}`);
    counts.skipped += 1;
    continue;
  }
  const [program, ...args] = check.command;
  const { status, output } = capture(program, args, { cwd: root });
  counts[status === 0 ? 'passed' : 'failed'] += 1;
  console.log(`  ${status === 0 ? 'pass' : 'FAIL'} ${name}`);
  if (status !== 0) console.log(output.trimEnd());
}
report('lint', counts);
