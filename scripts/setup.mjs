// Makes a clone ready to run, doing only what is missing: dependencies, then
// the addon.  node scripts/setup.mjs [--no-build]

import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { listFiles } from './lib/files.mjs';
import { addonPath, root } from './lib/paths.mjs';
import { passThrough } from './lib/run.mjs';

const readPackages = (path) =>
  Object.entries(JSON.parse(readFileSync(path, 'utf8')).packages);

/** Whether node_modules holds what the lockfile asks for. */
function dependenciesAreThere() {
  const installed = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  const versions = new Map(
    readPackages(installed).map(([path, entry]) => [path, entry.version]),
  );
  return readPackages(join(root, 'package-lock.json'))
    .filter(([path, entry]) => path !== '' && !entry.optional)
    .every(([path, entry]) => versions.get(path) === entry.version);
}

/** Whether the addon of this Node is newer than everything it is made of. */
function addonIsFresh() {
  const addon = addonPath(process.versions.modules);
  const bundle = join(root, 'src/runtime/gen/bootstrap.gen.js');
  if (!existsSync(addon) || !existsSync(bundle)) return false;
  const built = statSync(addon).mtimeMs;
  const sources = [
    ...listFiles(['src', 'binding', 'cmake'], /\.(h|cc|js|cmake)$/),
    'lib/protocol/codec.js',
    ...listFiles(['lib/protocol/codec'], /\.js$/),
    'CMakeLists.txt',
    'CMakePresets.json',
  ];
  return sources
    .map((path) => join(root, path))
    .filter(existsSync)
    .every((path) => statSync(path).mtimeMs <= built);
}

async function run(command, args) {
  const status = await passThrough(command, args, { cwd: root });
  if (status !== 0) throw new Problem(`${command} ${args[0]} failed`);
}

await main(async () => {
  if (!dependenciesAreThere()) {
    console.log('setup: installing dependencies (npm ci)');
    await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  if (process.argv.includes('--no-build') || addonIsFresh()) return;
  console.log('setup: building the addon');
  const build = join(root, 'scripts/build.mjs');
  process.exitCode = await passThrough(process.execPath, [build]);
});
