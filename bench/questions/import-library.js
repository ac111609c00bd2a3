'use strict';

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Worker } = require('node:worker_threads');

const { library } = require('../lib/library.js');

// The last one that is JavaScript; tsd has it with it.
const compiler = () =>
  createRequire(require.resolve('tsd')).resolve('@tsd/typescript');

/** TypeScript's compiler as one ES module of 9 MB, in a folder of its own. */
function writeModule(epilogue) {
  const source = readFileSync(compiler(), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'sloppy-bench-'));
  const file = join(folder, 'library.mjs');
  writeFileSync(file, `${source}\n${epilogue}\n`);
  process.once('exit', () => rmSync(folder, { recursive: true }));
  return file;
}

const starts = {
  'sloppy-workers': {
    epilogue: 'export function answer() { return ts.version; }',
    async start(file) {
      const maxModuleBytes = 64 * 1024 * 1024;
      const worker = await library.Worker.start(file, {
        maxModuleBytes,
        memoryLimitMb: 512,
      });
      await worker.invoke('answer');
      return () => worker.stop();
    },
  },
  worker_threads: {
    epilogue:
      'import { parentPort } from "node:worker_threads";\n' +
      'parentPort.postMessage(ts.version);',
    async start(file) {
      const thread = new Worker(file);
      await new Promise((resolve, reject) => {
        thread.once('message', resolve);
        thread.once('error', reject);
      });
      return () => thread.terminate();
    },
  },
};

const timed = async (start, file) => {
  const begin = performance.now();
  const end = await start(file);
  const ms = performance.now() - begin;
  await end();
  return ms;
};

const subjects = {};
for (const [peer, { epilogue, start }] of Object.entries(starts)) {
  subjects[peer] = async () => {
    const file = writeModule(epilogue);
    return {
      async round() {
        const first = await timed(start, file);
        return { first, second: await timed(start, file) };
      },
    };
  };
}

const line = (title, goals) => ({ title, unit: 'ms', better: 'lower', goals });

module.exports = {
  title: 'A library of 9 MB (typescript) as a module: start to first answer',
  fresh: true,
  maxRounds: 5,
  lines: {
    first: line('first worker of the process'),
    second: line('second worker', [
      { line: 'first', ratio: 0.25 },
      { peer: 'worker_threads', ratio: 0.5 },
    ]),
  },
  subjects,
};
