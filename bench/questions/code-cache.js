'use strict';

const { execFileSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

// The last one that is JavaScript; tsd has it with it.
const compiler = () =>
  createRequire(require.resolve('tsd')).resolve('@tsd/typescript');

const JOB = `
export function job(text) {
  return ts.transpileModule(text, { compilerOptions: { module: 99 } })
    .outputText.length;
}
`;

/** Takes the time of a process's first job, and its CPU time until then. */
const PROGRAM = `
const { library } = require(process.argv[1]);
const [, , module, codeCache] = process.argv;
const text = 'interface A { b: string } export const x: A = { b: "c" }; enum E { F }';
const cpu = process.cpuUsage();
const begin = performance.now();
const pool = library.WorkerPool.create('bench', {
  module,
  codeCache: codeCache || undefined,
  maxModuleBytes: 64 * 1024 * 1024,
  memoryLimitMb: 512,
});
pool.invoke('job', text).then(async () => {
  const ms = performance.now() - begin;
  const { user, system } = process.cpuUsage(cpu);
  await pool.stop();
  console.log(JSON.stringify({ ms, cpu: (user + system) / 1000 }));
});
`;

function firstJob(file, codeCache) {
  const library = require.resolve('../lib/library.js');
  const args = ['-e', PROGRAM, library, file, codeCache];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

module.exports = {
  title: 'A library of 9 MB (typescript): first job of a process, codeCache',
  lines: {
    cold: { title: 'first process', unit: 'ms', better: 'lower' },
    warm: {
      title: 'second process',
      unit: 'ms',
      better: 'lower',
      goals: [{ line: 'cold', ratio: 1 / 3 }],
    },
    cpuCold: { title: 'first process, CPU', unit: 'ms', better: 'lower' },
    cpuWarm: {
      title: 'second process, CPU',
      unit: 'ms',
      better: 'lower',
      goals: [{ line: 'cpuCold', ratio: 1 / 3 }],
    },
  },
  subjects: {
    'sloppy-workers': async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sloppy-bench-'));
      const file = join(folder, 'library.mjs');
      writeFileSync(file, readFileSync(compiler(), 'utf8') + JOB);
      return {
        async round() {
          const cache = join(folder, 'code');
          rmSync(cache, { recursive: true, force: true });
          const first = firstJob(file, cache);
          const second = firstJob(file, cache);
          return {
            cold: first.ms,
            cpuCold: first.cpu,
            warm: second.ms,
            cpuWarm: second.cpu,
          };
        },
        close: () => rmSync(folder, { recursive: true, force: true }),
      };
    },
  },
};
