// libFuzzer on the C++ that needs no V8: node scripts/fuzz-native.mjs
//
//   --seconds <n>   for each target; 20 by default
//
// A failure leaves its input in build/fuzz; give that file to the executable
// that is named to see it again.

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main } from './lib/fail.mjs';
import { buildDir, root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { capture, logged, passThrough } from './lib/run.mjs';

const SUITE = 'libFuzzer';

await main(async () => {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '20' } },
  });
  if (capture('clang++', ['--version']).status !== 0) {
    skip(SUITE, 'clang++ is missing; on Debian: apt-get install clang');
    return;
  }
  const build = [join(root, 'scripts/build.mjs'), '--preset', 'fuzz'];
  if ((await passThrough(process.execPath, build, { cwd: root })) !== 0) {
    report(SUITE, { failed: 1 });
    return;
  }
  const counts = { passed: 0, failed: 0 };
  const folder = join(root, 'build/fuzz');
  const sources = readdirSync(join(root, 'test/fuzz/native'));
  for (const source of sources.filter((name) => name.endsWith('_fuzz.cc'))) {
    const name = source.slice(0, -'.cc'.length);
    const corpus = join(folder, name);
    mkdirSync(corpus, { recursive: true });
    const log = join(folder, `${name}.log`);
    rmSync(log, { force: true });
    const status = logged(
      join(buildDir(process.versions.modules, 'fuzz'), name),
      [
        corpus,
        `-max_total_time=${values.seconds}`,
        `-artifact_prefix=${folder}/${name}-`,
        '-max_len=2000',
        '-timeout=20',
        '-rss_limit_mb=1024',
        '-malloc_limit_mb=64',
        '-print_final_stats=1',
      ],
      log,
      { cwd: root },
    );
    const said = readFileSync(log, 'utf8').trimEnd().split('\n');
    const inputs = said.find((line) => line.includes('number_of_executed'));
    if (status !== 0) console.log(said.slice(-40).join('\n'));
    console.log(`${name}: ${status === 0 ? inputs : `exit ${status}`}`);
    counts[status === 0 ? 'passed' : 'failed'] += 1;
  }
  report(SUITE, counts);
});
