'use strict';
// Runs that are interrupted, in every way there is, and go on.

const { execFileSync } = require('node:child_process');
const {
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');

const { loadCheckpoint } = require('../../../lib/cli/map/checkpoint.js');
const { runCli, startCli } = require('../support/cli.js');

const cwd = path.join(__dirname, 'fixtures');
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);
const COUNT = 6000;
const all = Array.from({ length: COUNT }, (_, id) => id);

const INPUTS = {
  ndjson: all
    .map((id) => `{"id":${id},"text":"é€${'x'.repeat(id % 50)}"}\r\n`)
    .join(''),
  json: `[${all.map((id) => `{"id":${id},"text":"é,]"}`).join(',\n')}]`,
  csv: `id,text\n${all.map((id) => `${id},"é\n${id}"`).join('\n')}`,
};

let folder;
const file = (name) => path.join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-cli-resume-'));
  goOn();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/**
 * The module of all runs. Records from `from` on take so long that a run with
 * them is interrupted before its end, or its test is over.
 */
function slowDown(from) {
  const records = JSON.stringify(path.join(cwd, 'records.mjs'));
  writeFileSync(
    file('paced.mjs'),
    `import { busy, same } from ${records};
    const pause = () => new Promise((resolve) => setTimeout(resolve, 200));
    export const paced = async (record) => {
      if (record.id >= ${from}) await pause();
      return busy(record);
    };
    export { same };`,
  );
}

const goOn = () => slowDown(COUNT);

function command(format, more = []) {
  const input = file(`input.${format}`);
  if (!existsSync(input)) writeFileSync(input, INPUTS[format]);
  return [
    'map',
    `${file('paced.mjs')}#paced`,
    input,
    '--output',
    file('output.ndjson'),
    '--checkpoint',
    file('checkpoint'),
    '--checkpoint-interval',
    '20ms',
    '--workers',
    '2',
    ...more,
  ];
}

/** @returns {number} how many records the checkpoint tells of */
function recordsDone() {
  try {
    return JSON.parse(readFileSync(file('checkpoint'), 'utf8')).counts.records;
  } catch {
    // The file is not there yet.
    return 0;
  }
}

/** Resolves when the checkpoint tells of more records than it did. */
async function underWay(child, before) {
  while (recordsDone() <= before) {
    if (child.exitCode !== null) throw new Error('it has ended already');
    await delay(5);
  }
}

const resultIds = () =>
  readFileSync(file('output.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Number(JSON.parse(line).id));

/** Ends a run that is past where it began, and far from its end. */
async function interrupt(args, signal) {
  const before = recordsDone();
  slowDown(Math.max(COUNT / 2, before + 100));
  const { child, ended } = startCli(args, { cwd });
  await underWay(child, before);
  child.kill(signal);
  const { code, stderr } = await ended;
  goOn();
  return { code, stderr };
}

const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
];

// A signal is the command's, a format the reader's: pairs of them tell no more.
describe.each([
  ['ndjson', [], SIGNALS],
  ['csv', [], SIGNALS.slice(2)],
  ['json', [], SIGNALS.slice(0, 1)],
  ['ndjson', ['--unordered', '--batch', '13'], SIGNALS.slice(2)],
])('map --checkpoint over %s %j', (format, more, signals) => {
  test.each(signals)(
    'goes on after %s without losing or doubling',
    async (signal, exit) => {
      const args = command(format, more);
      // A second time, now in a run that was resumed itself.
      for (let run = 1; run <= 2; run += 1) {
        const stopped = await interrupt(args, signal);
        expect(stopped.code).toBe(exit);
        if (exit !== null) expect(stopped.stderr).toContain('stopped: ');
        expect(statSync(file('output.ndjson')).size).toBeGreaterThan(0);
      }
      const last = await runCli(args, { cwd });
      expect(last.code).toBe(0);
      expect(last.stderr).toContain(`done: ${COUNT} records`);
      const found = resultIds();
      if (more.includes('--unordered')) found.sort((a, b) => a - b);
      expect(found).toEqual(all);
    },
  );
});

describe('map --checkpoint', () => {
  test('a run that is done is not repeated', async () => {
    const args = command('ndjson');
    expect((await runCli(args, { cwd })).code).toBe(0);
    const before = statSync(file('output.ndjson')).mtimeMs;
    const again = await runCli(args, { cwd });
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('done before');
    expect(statSync(file('output.ndjson')).mtimeMs).toBe(before);
  });

  test('goes on at the record that stopped it', async () => {
    const module = file('fixed.mjs');
    writeFileSync(
      module,
      'export default ({ id }) => { if (id == 99) throw 1; return { id }; }',
    );
    const args = command('csv', ['--on-error', 'stop']);
    args[1] = module;
    const first = await runCli(args, { cwd });
    expect(first.code).toBe(1);
    expect(resultIds()).toEqual(all.slice(0, 99));
    writeFileSync(module, 'export default ({ id }) => ({ id })');
    expect((await runCli(args, { cwd })).code).toBe(0);
    expect(resultIds()).toEqual(all);
  });

  test('dead letters are neither lost nor doubled', async () => {
    const module = file('picky.mjs');
    writeFileSync(
      module,
      `import { paced } from './paced.mjs';
      export default (r) => { if (r.id % 10 === 0) throw new Error('ten'); return paced(r); };`,
    );
    const args = command('ndjson', ['--on-error', 'dead-letter', file('bad')]);
    args[1] = module;
    await interrupt(args, 'SIGKILL');
    expect((await runCli(args, { cwd })).code).toBe(0);
    const letters = readFileSync(file('bad'), 'utf8').trimEnd().split('\n');
    expect(letters.map((line) => JSON.parse(line).record)).toEqual(
      all.filter((id) => id % 10 === 0).map((id) => id + 1),
    );
    expect(resultIds()).toEqual(all.filter((id) => id % 10 !== 0));
  });

  test.each([
    ['size', () => writeFileSync(file('input.ndjson'), `${INPUTS.ndjson}1\n`)],
    ['time', () => utimesSync(file('input.ndjson'), 1, 1)],
  ])('refuses an input of another %s', async (_what, change) => {
    const args = command('ndjson');
    await interrupt(args, 'SIGINT');
    const before = readFileSync(file('output.ndjson'));
    change();
    const { code, stderr } = await runCli(args, { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain('SLOPPY_CLI_CHECKPOINT: the input has changed');
    expect(readFileSync(file('output.ndjson'))).toEqual(before);
  });

  test.each([
    ['shorter output', 'output.ndjson', (path) => writeFileSync(path, '{}\n')],
    ['no output', 'output.ndjson', (path) => rmSync(path)],
    ['no dead letters', 'bad', (path) => rmSync(path)],
  ])('refuses to go on with %s', async (_what, name, harm) => {
    const bad = ['--on-error', 'dead-letter', file('bad')];
    const args = command('ndjson', bad);
    await interrupt(args, 'SIGINT');
    harm(file(name));
    const { code, stderr } = await runCli(args, { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain(`SLOPPY_CLI_CHECKPOINT: ${file(name)}`);
  });

  const onPosix = process.platform === 'win32' ? test.skip : test;
  onPosix('neither waits for a pipe nor replaces one', async () => {
    const args = command('ndjson');
    execFileSync('mkfifo', [file('checkpoint')]);
    const { code, stderr } = await runCli(args, { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain('SLOPPY_CLI_CHECKPOINT');
    expect(lstatSync(file('checkpoint')).isFIFO()).toBe(true);
  });

  onPosix("goes where a link leads, and takes nobody's file", async () => {
    const args = command('ndjson');
    symlinkSync('real', file('checkpoint'));
    writeFileSync(file('real.tmp'), 'mine');
    writeFileSync(file('checkpoint.tmp'), 'mine');
    expect((await runCli(args, { cwd })).code).toBe(0);
    expect(readlinkSync(file('checkpoint'))).toBe('real');
    expect(recordsDone()).toBe(COUNT);
    for (const name of ['real.tmp', 'checkpoint.tmp']) {
      expect(readFileSync(file(name), 'utf8')).toBe('mine');
    }
  });

  test('refuses another function, and what is no checkpoint', async () => {
    const args = command('ndjson');
    await interrupt(args, 'SIGINT');
    const other = ['map', `${file('paced.mjs')}#same`, ...args.slice(2)];
    expect(await runCli(other, { cwd })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('another function'),
    });
    writeFileSync(file('checkpoint'), 'something else');
    expect((await runCli(args, { cwd })).code).toBe(4);
  });

  test('refuses one whose fields are not what was written', async () => {
    const args = command('ndjson');
    await interrupt(args, 'SIGINT');
    const saved = JSON.parse(readFileSync(file('checkpoint'), 'utf8'));
    const { size } = saved.input;
    const odd = {
      isFinished: [1, null],
      input: [null, {}, 5, { ...saved.input, size: '1' }],
      setup: [null, 'x', []],
      progress: [
        {},
        null,
        { position: -1, index: 0, ahead: [] },
        { position: 0, index: 0 },
        { position: size + 1, index: 0, ahead: [] },
        { position: 0, index: 0, ahead: [{}] },
        { position: 5, index: 0, ahead: [{ start: 3, end: 9, index: 1 }] },
        {
          position: 0,
          index: 0,
          ahead: [{ start: 1, end: 2 ** 60, index: 1 }],
        },
      ],
      header: ['x', [1]],
      outputBytes: [null, -1, '0'],
      failureBytes: ['x', 1.5],
      formatter: [null, 7, { columns: [null] }],
      counts: [null, {}, { ...saved.counts, failed: 'x' }],
    };
    for (const [field, values] of Object.entries(odd)) {
      for (const value of values) {
        const text = JSON.stringify({ ...saved, [field]: value });
        writeFileSync(file('checkpoint'), text);
        await expect(loadCheckpoint(file('checkpoint'))).rejects.toMatchObject({
          exit: 4,
          message: expect.stringContaining(`"${field}"`),
        });
      }
    }
    const setup = { ...saved.setup, format: 'csv', header: true };
    const progress = { position: 4, index: 1, ahead: [] };
    const headless = { ...saved, setup, progress, header: null };
    const letters = { ...saved.setup, 'dead-letter file': file('letters') };
    for (const [field, state] of [
      ['header', headless],
      ['header', { ...headless, header: ['a', 'a'] }],
      ['failureBytes', { ...saved, setup: letters, failureBytes: null }],
    ]) {
      writeFileSync(file('checkpoint'), JSON.stringify(state));
      expect(await runCli(args, { cwd })).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`"${field}"`),
      });
    }
    for (const text of ['null', '[]', '7']) {
      writeFileSync(file('checkpoint'), text);
      await expect(loadCheckpoint(file('checkpoint'))).rejects.toMatchObject({
        exit: 4,
      });
    }
    writeFileSync(file('checkpoint'), '{"version":1}');
    expect((await runCli(args, { cwd })).code).toBe(4);
  });
});

describe('map --checkpoint of other formats', () => {
  test('the results of JSON and CSV are whole after a resumed run', async () => {
    for (const format of ['json', 'csv']) {
      rmSync(file('checkpoint'), { force: true });
      const args = command('ndjson', ['--output-format', format]);
      await interrupt(args, 'SIGKILL');
      expect((await runCli(args, { cwd })).code).toBe(0);
      const text = readFileSync(file('output.ndjson'), 'utf8');
      const found =
        format === 'json'
          ? JSON.parse(text).map(({ id }) => id)
          : text.trimEnd().split('\n').slice(1).map(Number);
      expect(found).toEqual(all);
      if (format === 'csv') expect(text).toMatch(/^id\n0\n/);
    }
  });
});
