'use strict';
// Inputs and outputs that are no regular files.

const { execFileSync, spawn, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { bin, runCli, startCli, told } = require('../support/cli.js');

const cwd = path.join(__dirname, 'fixtures');
const TELL_NO_READER = path.join(cwd, 'tell-no-reader.cjs');
const TWO = '{"id":1}\n{"id":2}\n';
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

let folder;
let count = 0;
const helpers = [];

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(tmpdir(), 'sw-cli-pipes-'));
});
afterEach(() => {
  for (const child of helpers.splice(0)) child.kill('SIGKILL');
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function newFile() {
  count += 1;
  return path.join(folder, `file-${count}`);
}

function newPipe() {
  const pipe = newFile();
  execFileSync('mkfifo', [pipe]);
  return pipe;
}

/** A process of its own, because it blocks until the other end is there. */
function shell(script, ...args) {
  const child = spawn('sh', ['-c', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  helpers.push(child);
  let text = '';
  child.stdout.on('data', (part) => {
    text += part;
  });
  return new Promise((resolve) => {
    child.on('close', () => resolve(text));
  });
}

const start = (args, options) =>
  startCli(['map', 'records.mjs#same', '--format', 'ndjson', ...args], {
    cwd,
    ...options,
  });
const map = (...args) => start(args).ended;

/** Resolves when the command has opened the file, and what else it opens. */
async function opened({ pid }, file) {
  for (;;) {
    const links = fs.readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/fd/${fd}`);
      } catch {
        return '';
      }
    });
    if (links.includes(file)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('pipes', () => {
  test('a named pipe whose writer comes later, once', async () => {
    const pipe = newPipe();
    const { child, ended } = start([pipe]);
    await opened(child, pipe);
    await shell('printf "$1" > "$0"', pipe, TWO);
    expect(await ended).toMatchObject({ code: 0, stdout: TWO });
  });

  test('a writer that was there first', async () => {
    const pipe = newPipe();
    const written = shell('printf "$1" > "$0"', pipe, TWO);
    expect(await map(pipe)).toMatchObject({ code: 0, stdout: TWO });
    await written;
  });

  test('no writer comes: SIGTERM ends it', async () => {
    const pipe = newPipe();
    const { child, ended } = start([pipe]);
    await opened(child, pipe);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(143);
  });

  test('the results and the dead letters', async () => {
    const [out, dead] = [newPipe(), newPipe()];
    const args = ['records.mjs#notSeven', '--format', 'ndjson', '-o', out];
    const { ended } = startCli(
      ['map', ...args, '--on-error', 'dead-letter', dead],
      { cwd, input: '{"id":7}\n{"id":2}\n' },
    );
    const reading = [out, dead].map((pipe) => shell('cat "$0"', pipe));
    const [results, failures] = await Promise.all(reading);
    expect((await ended).code).toBe(0);
    expect(results).toBe('{"id":2}\n');
    expect(JSON.parse(failures)).toMatchObject({ record: 1 });
  });

  test.each([
    ['nobody reads', false],
    ['the reader has stalled', true],
  ])('%s: SIGTERM ends it', async (_what, isStalled) => {
    const pipe = newPipe();
    // Open for both ends, so that neither this nor the command blocks.
    const fd = isStalled ? fs.openSync(pipe, 'r+') : undefined;
    const { child, ended } = start(['-o', pipe], {
      input: 'open',
      env: { NODE_OPTIONS: `--require=${TELL_NO_READER}` },
    });
    const record = `{"id":"${'x'.repeat(1000)}"}\n`;
    child.stdin.write(record.repeat(500));
    await (isStalled ? opened(child, pipe) : told(child, 'no reader'));
    child.kill('SIGTERM');
    expect([130, 143]).toContain((await ended).code);
    if (isStalled) fs.closeSync(fd);
  });

  test('the reader leaves: an error', async () => {
    const pipe = newPipe();
    const { child, ended } = start(['-o', pipe], { input: 'open' });
    await shell('head -c 0 < "$0"', pipe);
    child.stdin.end(TWO);
    expect(await ended).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`cannot write ${pipe}`),
    });
  });

  test.each(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0', '-'])(
    '%s, a socket',
    async (name) => {
      const { ended } = start([name], { input: TWO });
      expect(await ended).toMatchObject({ code: 0, stdout: TWO });
    },
  );

  test.each([
    'printf "$1" | "$2" "$3" map "$4" /dev/stdin -f ndjson',
    '"$2" "$3" map "$4" <(printf "$1") -f ndjson',
    '"$2" "$3" map "$4" /dev/fd/5 -f ndjson 5< <(printf "$1")',
  ])('%s', (script) => {
    const words = ['bash', TWO, process.execPath, bin, 'records.mjs#same'];
    const made = spawnSync('bash', ['-c', script, ...words], {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect(made).toMatchObject({ status: 0, stdout: TWO });
  });

  test.each(['/dev/stdout', '/dev/fd/1', '/dev/null'])('-o %s', async (out) => {
    const { ended } = start(['-o', out], { input: TWO });
    const stdout = out === '/dev/null' ? '' : TWO;
    expect(await ended).toMatchObject({ code: 0, stdout });
  });

  test('a checkpoint needs files', async () => {
    const input = newFile();
    fs.writeFileSync(input, TWO);
    const pipe = newPipe();
    const to = ['--checkpoint', newFile()];
    for (const args of [
      [pipe, '-o', newFile()],
      [input, '-o', pipe],
      [input, '-o', newFile(), '--on-error', 'dead-letter', pipe],
    ]) {
      expect(await map(...args, ...to)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--checkpoint needs'),
      });
    }
  });

  test('the input of run, and a plan', async () => {
    const pipe = newPipe();
    const run = runCli(['run', 'records.mjs#same', '--input', `@${pipe}`], {
      cwd,
    });
    await shell('printf 5 > "$0"', pipe);
    expect(await run).toMatchObject({ code: 0, stdout: '5\n' });
    const socket = runCli(['run', 'records.mjs#same', '-i', '@/dev/stdin'], {
      cwd,
      input: '6',
    });
    expect(await socket).toMatchObject({ code: 0, stdout: '6\n' });
  });
});

describe('map in a pipe', () => {
  test('ends quietly when its reader has left', async () => {
    const input = newFile();
    const records = Array.from({ length: 120_000 }, (_, id) => `{"id":${id}}`);
    fs.writeFileSync(input, records.join('\n'));
    const line =
      `set -o pipefail; "${process.execPath}" "${bin}" map records.mjs#same -f ndjson "${input}" ` +
      '| head -n 2; echo "code $?"';
    const shell = spawn('bash', ['-c', line], { cwd });
    let stdout = '';
    let stderr = '';
    shell.stdout.on('data', (data) => {
      stdout += data;
    });
    shell.stderr.on('data', (data) => {
      stderr += data;
    });
    await new Promise((resolve) => shell.on('close', resolve));
    expect(stdout.split('\n').slice(2)).toEqual(['code 0', '']);
    expect(stderr).toBe('');
  });

  test('Ctrl-C ends a run that waits for input', async () => {
    const { child, ended } = startCli(['map', 'records.mjs#same'], {
      cwd,
      input: 'open',
    });
    child.stdin.write('1\n');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '1\n' });
  });

  test('Ctrl-C ends a record that never does', async () => {
    const module = `${newFile()}.mjs`;
    fs.writeFileSync(
      module,
      'export default () => { console.log("up"); for (;;); }',
    );
    const { child, ended } = startCli(['map', module], { cwd, input: '1\n' });
    await told(child, 'up\n');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
  });
});
