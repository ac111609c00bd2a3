// clang-tidy on our own sources: node scripts/lint-tidy.mjs [path part]...
//
// It reads the compile database of the preset includes, because there clang sees
// each file alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { main, Problem } from './lib/fail.mjs';
import { listFiles } from './lib/files.mjs';
import { buildDir, root, which } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { capture, passThrough } from './lib/run.mjs';

await main(async () => {
  if (!which('clang-tidy')) {
    throw new Problem(
      'clang-tidy is missing; on Debian: apt-get install clang-tidy',
    );
  }
  const build = [join(root, 'scripts/build.mjs'), '--preset', 'includes'];
  const status = await passThrough(process.execPath, build, { cwd: root });
  if (status !== 0)
    throw new Problem('clang-tidy needs the build of the preset includes');
  const dir = buildDir(process.versions.modules, 'includes');
  if (!existsSync(join(dir, 'compile_commands.json'))) {
    throw new Problem(
      'the build of the preset includes has no compile database',
    );
  }
  const parts = process.argv.slice(2);
  const counts = { passed: 0, failed: 0 };
  const files = listFiles(['src', 'binding'], /\.cc$/).filter(
    (path) => parts.length === 0 || parts.some((part) => path.includes(part)),
  );
  for (const file of files) {
    const args = ['-p', dir, '--quiet', file];
    const { status: code, stdout } = capture('clang-tidy', args, { cwd: root });
    counts[code === 0 ? 'passed' : 'failed'] += 1;
    console.log(`  ${code === 0 ? 'pass' : 'FAIL'} ${file}`);
    if (code !== 0) console.log(stdout.trimEnd());
  }
  report('tidy', counts);
});
