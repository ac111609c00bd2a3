// Runs every file of test/scenario in a process of its own:
//   node scripts/run-scenarios.mjs [--jobs <n>] [name part]...
//
// A scenario passes when it ends in time, with the exit code of its first
// comment line (`// expect: exit 0` is the default; `// expect: signal SIGTERM`
// works too), and the last line it printed is `pass`. Its time is limited for
// what hangs, not for what a busy machine holds up: `// limit: 900 s` replaces
// the 300 s, and SW_TEST_TIMEOUT_MS those under emulation. `// flags:
// --expose-gc` gives flags to node.

import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './lib/paths.mjs';
import { report, skip } from './lib/results.mjs';
import { leftOut } from './lib/spread-tests.mjs';

// The sanitizer run preloads its runtimes into the scenarios, not into this.
const extraEnv = JSON.parse(process.env.SW_SCENARIO_ENV ?? '{}');
const folder = join(root, 'test/scenario');
const emulatedMs = Number(process.env.SW_TEST_TIMEOUT_MS ?? 0);
const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string', default: '2' } },
  allowPositionals: true,
});

function readHeader(file) {
  const head = readFileSync(join(folder, file), 'utf8').split('\n').slice(0, 8);
  const find = (pattern) =>
    head.map((line) => pattern.exec(line)?.[1]).find(Boolean);
  return {
    expected: find(/^\/\/ expect: (exit \d+|signal \w+)/) ?? 'exit 0',
    limitMs: Math.max(
      Number(find(/^\/\/ limit: (\d+) s/) ?? 300) * 1000,
      emulatedMs,
    ),
    flags: find(/^\/\/ flags: (.+)/)?.split(' ') ?? [],
  };
}

function execute(file, { flags, limitMs }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...flags, join(folder, file)], {
      cwd: root,
      env: { ...process.env, ...extraEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const streams = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name].setEncoding('utf8');
      child[name].on('data', (text) => {
        streams[name] += text;
      });
    }
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const ended = signal ? `signal ${signal}` : `exit ${code}`;
      resolve({
        ended: late ? `no end in ${limitMs / 1000} s` : ended,
        ...streams,
      });
    });
  });
}

async function runOne(file) {
  const header = readHeader(file);
  const { ended, stdout, stderr } = await execute(file, header);
  const lastLine = stdout.trimEnd().split('\n').at(-1);
  if (ended === header.expected && lastLine === 'pass') {
    console.log(`  pass ${file}`);
    return true;
  }
  const output = `${stdout}${stderr}`.trimEnd().split('\n').slice(-40);
  console.log(
    [
      `  FAIL ${file}: ${ended}, expected ${header.expected} and \`pass\``,
      ...output.map((line) => `    | ${line}`),
    ].join('\n'),
  );
  return false;
}

async function runAll(files) {
  const queue = [...files];
  const counts = { passed: 0, failed: 0 };
  const lane = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      counts[(await runOne(file)) ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
  return counts;
}

const others = leftOut();
const isScenario = (name) =>
  /\.(js|mjs|cjs)$/.test(name) &&
  !others.includes(`scenario/${name}`) &&
  (positionals.length === 0 || positionals.some((part) => name.includes(part)));

const files = existsSync(folder) ? readdirSync(folder).filter(isScenario) : [];
if (files.length === 0) skip('scenario', 'no file in test/scenario fits');
else report('scenario', await runAll(files));
