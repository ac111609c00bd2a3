// Builds and tests on other Node versions: npm run test:matrix -- 22 24 26
//
//   --smoke      only what shows that an addon works: the native tests, calls
//                of pools and workers, and a scenario
//   --abi        what differs between Nodes: the natives, the library inside
//                isolates, modules, payloads and Node's own threads; not the
//                layers above, which are the same JavaScript everywhere
//   --isolates   of Jest's tests those on isolates, not again on threads
//   --threads    after them those on threads
//   --published  what a user of the library sees, on it in the form in which it
//                is published, as far as that can be told from outside
//                (test-published.mjs)
//
// With --abi and --published long tests are left to one Node each
// (lib/spread-tests.mjs).
//
// The binary and the headers come from the npm package of that Node and stay
// in .nodes/<major>; `latest` is the newest that npm has. Everything runs by
// that node itself. The unit tests are not repeated, because the core that they
// test knows nothing of Node.

import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { main } from './lib/fail.mjs';
import { fetchNode, readMajors } from './lib/fetch-node.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';
import { leftToOthers } from './lib/spread-tests.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    abi: { type: 'boolean', default: false },
    isolates: { type: 'boolean', default: false },
    published: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    threads: { type: 'boolean', default: false },
  },
});

const targets = ['sloppy_workers', 'sloppy_workers_native_tests'];
const ALL = [
  ['run-native-tests.mjs'],
  ['run-js-tests.mjs'],
  ['run-scenarios.mjs'],
];
// A project of jest.config.js.
const THREADS = 'runtime: thread';
const folders = (...names) => names.map((name) => `test/js/${name}/`);
const ABI_FOLDERS = folders(
  ...['crypto', 'executors', 'modules', 'payload', 'protocol', 'runtime'],
  ...['runtime-in-isolate', 'web'],
);
const PUBLISHED_FOLDERS = folders(
  ...['conformance', 'debugging', 'entries', 'errors', 'executors', 'modules'],
  ...['payload', 'protocol', 'runtime-in-isolate'],
);
const ABI = [
  ['run-native-tests.mjs'],
  ['run-js-tests.mjs', ...ABI_FOLDERS],
  ['run-scenarios.mjs'],
  // Node 20 has no SQLite of its own.
  ['run-examples.mjs', 'bullmq-sqlite'],
];
const PUBLISHED = [
  ['run-native-tests.mjs'],
  ['test-published.mjs', '--rest', ...PUBLISHED_FOLDERS],
];
const conformance = [
  'pool-run',
  'sent-functions',
  'worker',
  'payload',
  'error',
];
const SMOKE = [
  ['run-native-tests.mjs'],
  [
    'run-js-tests.mjs',
    ...conformance.map((name) => `test/js/conformance/${name}`),
  ],
  ['run-scenarios.mjs', 'core-worker.js'],
];

function suitesOf({ abi, published, smoke }) {
  if (smoke) return SMOKE;
  if (abi) return ABI;
  return published ? PUBLISHED : ALL;
}

async function testOn(major) {
  console.log(`\n== Node ${major}`);
  const folder = fetchNode(major);
  const node = join(folder, 'bin/node');
  const spreads = options.abi || options.published;
  const env = {
    ...process.env,
    SW_SUITE_SUFFIX: ` on Node ${major}`,
    SW_ONLY_ISOLATES: options.isolates ? '1' : '',
    SW_LEFT_OUT: spreads ? leftToOthers(major).join(' ') : '',
  };
  const runWith = (more, script, ...args) =>
    passThrough(node, [join(root, 'scripts', script), ...args], {
      cwd: root,
      env: { ...env, ...more },
    });
  const run = (...suite) => runWith({}, ...suite);
  const built = targets.flatMap((name) => ['--target', name]);
  // Two Nodes test the binary as it is published; differences between Nodes do
  // not depend on how it is linked.
  const lto = options.abi ? ['--without-lto'] : [];
  if ((await run('build.mjs', '--tests', ...lto, ...built)) !== 0) {
    report(`build on Node ${major}`, { failed: 1 });
    return;
  }
  for (const suite of suitesOf(options)) {
    if ((await run(...suite)) !== 0) process.exitCode = 1;
  }
  if (!options.threads) return;
  const all = { SW_ONLY_ISOLATES: '', SW_LEFT_OUT: '' };
  const suite = ['run-js-tests.mjs', '--selectProjects', THREADS];
  if ((await runWith(all, ...suite)) !== 0) process.exitCode = 1;
}

await main(async () => {
  const numbers = positionals.filter((word) => word !== 'latest');
  if (numbers.length > 0 || positionals.length === 0) {
    readMajors(
      numbers,
      'npm run test:matrix -- [--abi | --published | --smoke] <major>...',
    );
  }
  for (const major of positionals) await testOn(major);
});
