// Every js and ts block of the documents is compiled against types/, as a user
// would who pastes it: an option, export or result that is not there fails.
// README.md and the guides are run as well (check-readme.mjs).

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { capture } from './lib/run.mjs';

/** Inside the package, so that it may import the package by name. */
const folder = join(root, 'build/samples');

// Names that the blocks take for granted: a pool, a queue, and those whose
// meaning is the reader's.
const SURROUNDINGS = `
import type { WorkerPool as Pool, WorkQueue as Queue } from 'sloppy-workers';
import type * as workers from 'sloppy-workers';
import type * as time from 'sloppy-workers/time';
import type * as fsPromises from 'node:fs/promises';
declare global {
  const WorkerPool: typeof workers.WorkerPool;
  const Time: typeof time.Time;
  const CancellationController: typeof time.CancellationController;
  const readFile: typeof fsPromises.readFile;
  const pool: Pool;
  const queue: Queue<string, string>;
  const deadline: time.Deadline;
  const input: string, text: string, url: string;
  const files: string[];
  const request: Request;
  const ask: any, data: any, fastify: any, dashboard: any, hash: any;
  const halt: any, handlersByMessageType: any, loadIndex: any, loadPrices: any;
  const pollOnce: any, render: any, tenant: any;
  const response: any, send: any;
}
`;

const CONFIG = {
  compilerOptions: {
    // They are JavaScript, most of them.
    strict: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    module: 'node16',
    moduleResolution: 'node16',
    target: 'es2022',
    lib: ['esnext', 'dom'],
    types: ['node'],
    typeRoots: ['../../node_modules/@types'],
  },
  include: ['*.mts', '*.d.ts'],
};

/** A block as a module of its own. */
function moduleOf(code) {
  const text = code
    .replace(
      /^const (\{[^}]*\}) = require\(('[^']+')\);$/gm,
      (_all, names, from) =>
        `import ${names.replaceAll(':', ' as')} from ${from};`,
    )
    .replaceAll(') …', ') {}');
  return `${text}\nexport {};\n`;
}

const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
writeFileSync(join(folder, 'surroundings.d.ts'), SURROUNDINGS);
writeFileSync(
  join(folder, 'tasks.ts'),
  `export const parse = (input: { text: string }) => [input.text];
  export const render = (text: string) => text;`,
);
let count = 0;
for (const path of documents) {
  const text = readFileSync(join(root, path), 'utf8');
  for (const [, code] of text.matchAll(/^```(?:js|ts)\n(.*?)^```$/gms)) {
    count += 1;
    const name = path.replace(/\W+/g, '-');
    writeFileSync(join(folder, `${name}-${count}.mts`), moduleOf(code));
  }
}
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const { output } = capture(process.execPath, [tsc, '-p', folder]);
// JavaScript may look into what TypeScript calls unknown.
const problems = output
  .split('\n')
  .filter((line) => /error TS/.test(line) && !/TS18046|'unknown'/.test(line));
for (const problem of problems) console.log(`  FAIL ${problem}`);
const failed = new Set(problems.map((line) => line.split('(')[0])).size;
report('samples', { passed: count - failed, failed });
