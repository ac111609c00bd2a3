'use strict';

const {
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { version } = require('../../../package.json');
const { runCli, startCli, told } = require('../support/cli.js');

const cwd = path.join(__dirname, 'fixtures');
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);
const run = (args, options) => runCli(['run', ...args], { cwd, ...options });

let folder;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-cli-run-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('sloppy-workers run', () => {
  test.each([
    ['./tasks.mjs#double', ['--input', '21'], '42\n'],
    ['tasks.mjs#later', ['--input', '1'], '2\n'],
    ['./tasks.mjs', ['--input', '[1]'], '{"value":[1]}\n'],
    ['./tasks.mjs#default', [], '{"value":null}\n'],
    ['./tasks.mjs#nothing', [], 'null\n'],
    ['./tasks.mjs#shout', ['--text', 'hé'], '"HÉ!"\n'],
    ['./tasks.mjs#shout', ['--text', 'hey', '--raw'], 'HEY!\n'],
    ['./tasks.mjs#double', ['--input', '4', '--raw'], '8\n'],
    ['node:path#dirname', ['--text', '/a/b', '--raw'], '/a\n'],
  ])('%s %j prints %j', async (reference, args, expected) => {
    const { code, stdout, stderr } = await run([reference, ...args]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: expected,
      stderr: '',
    });
  });

  test('an input that would lose digits is refused, without its value', async () => {
    const args = ['./tasks.mjs', '--input', '{"id":9007199254740993}'];
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('more than 53 bits');
    expect(stderr).not.toContain('9007199254740993');
  });

  test('reads its input from stdin and from a file', async () => {
    const file = path.join(folder, 'input.json');
    writeFileSync(file, '\uFEFF{"a":"é"}');
    const fromFile = await run(['tasks.mjs', '--input', `@${file}`]);
    expect(fromFile.stdout).toBe('{"value":{"a":"é"}}\n');
    const fromStdin = await run(['tasks.mjs', '-i', '-'], { input: '"x"' });
    expect(fromStdin.stdout).toBe('{"value":"x"}\n');
  });

  test('keeps what the function prints out of stdout', async () => {
    const ended = await run(['tasks.mjs#chatty', '--input', '3']);
    expect(ended.stdout).toBe('3\n');
    expect(ended.stderr).toBe('logged 3\nwritten\n');
  });

  test('keeps compiled code in the cache of the user, unless told not to', async () => {
    const file = path.join(folder, 'large.mjs');
    const padding = `/* ${'large '.repeat(4000)} */`;
    writeFileSync(file, `${padding}export default () => 'done';`);
    const cache = path.join(folder, 'cache');
    const env = { XDG_CACHE_HOME: cache };
    const without = await run([file, '--no-code-cache', '--raw'], { env });
    expect([without.stdout, existsSync(cache)]).toEqual(['done\n', false]);
    const { stdout } = await run([file, '--raw'], { env });
    expect(stdout).toBe('done\n');
    expect(readdirSync(path.join(cache, 'sloppy-workers', 'code'))).toEqual(
      expect.arrayContaining([expect.stringMatching(/\.swcode$/)]),
    );
  });

  test('--json tells result and time', async () => {
    const { stdout } = await run(['tasks.mjs#double', '-i', '2', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      result: 4,
      elapsedMs: expect.any(Number),
    });
  });

  test.each([
    [['tasks.mjs#fails', '-i', '{}'], 1, Code.JobFailed, 'RangeError'],
    [['tasks.mjs#endless', '--timeout', '0.3s'], 1, Code.JobTimeout],
    [['tasks.mjs#endless', '--cpu', '200ms'], 1, Code.ResourceLimit],
    [['tasks.mjs#hungry', '--memory', '32mb'], 1, Code.ResourceLimit],
    [['tasks.mjs#answer'], 2, 'SLOPPY_CLI_MODULE', 'double'],
    [['./absent.mjs#x'], 3, 'SLOPPY_CLI_MODULE'],
    [['absent.mjs#x'], 3, 'SLOPPY_CLI_MODULE'],
    [['absent-package#x'], 3, 'SLOPPY_CLI_MODULE'],
    [
      ['tasks.mjs', '--nope'],
      2,
      'SLOPPY_CLI_USAGE',
      'sloppy-workers run --help',
    ],
    [['#x'], 2, 'SLOPPY_CLI_USAGE'],
    [['tasks.mjs', '-i', '{secret'], 2, 'SLOPPY_CLI_USAGE'],
    [['tasks.mjs', '-i', '@absent.json'], 3, 'SLOPPY_CLI_FILE'],
    [['tasks.mjs', '-i', '1', '--text', '2'], 2, 'SLOPPY_CLI_USAGE'],
    [['tasks.mjs', '--memory', '8'], 2, 'SLOPPY_CLI_USAGE'],
    [['tasks.mjs', '--timeout', 'soon'], 2, 'SLOPPY_CLI_USAGE'],
    [['tasks.mjs', '--bogus'], 2, 'SLOPPY_CLI_USAGE'],
    [[], 2, 'SLOPPY_CLI_USAGE'],
  ])(
    '%j ends with exit code %i and %s',
    async (args, exit, code, more = '') => {
      const text = await run(args);
      expect(text.code).toBe(exit);
      expect(text.stdout).toBe('');
      expect(text.stderr).toContain(`error ${code}: `);
      expect(text.stderr).not.toContain('secret');
      expect(text.stderr).toContain(more);
      const asJson = await run([...args, '--json']);
      expect(asJson.code).toBe(exit);
      const { error } = JSON.parse(asJson.stderr);
      expect(error).toMatchObject({ code, hint: expect.any(String) });
    },
  );

  test('shows the frames of the user, not ours', async () => {
    const { stderr } = await run(['tasks.mjs#fails', '-i', '{}']);
    expect(stderr).toMatch(/at fails .*tasks\.mjs:8/);
    expect(stderr).not.toContain('lib/cli');
    expect(stderr).not.toContain('callExport');
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s ends an endless job with exit code %i', async (signal, exit) => {
    const file = path.join(folder, `${signal}.mjs`);
    writeFileSync(
      file,
      'export default () => { console.log("up"); for (;;); };',
    );
    const { child, ended } = startCli(['run', file]);
    await told(child, 'up\n');
    child.kill(signal);
    expect(await ended).toMatchObject({ code: exit, stdout: '' });
  });
});

describe('sloppy-workers', () => {
  test('tells its version', async () => {
    expect(await runCli(['--version'])).toMatchObject({
      code: 0,
      stdout: `${version}\n`,
    });
  });

  test.each([
    [['--help']],
    [['help']],
    [['run', '--help']],
    [['help', 'run']],
    [['doctor', '--help']],
    [['audit', '--help']],
    [['map', '--help']],
    [['bench', '--help']],
  ])('%j teaches with examples and exit codes', async (args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/Examples:\n {2}\$ /);
    expect(stdout).toMatch(/Exit codes:/);
  });

  test('without a command shows the help and fails', async () => {
    const { code, stdout } = await runCli([]);
    expect(code).toBe(2);
    expect(stdout).toContain('Usage: sloppy-workers');
  });

  test('a misspelt command is named, with what was meant', async () => {
    const { code, stderr } = await runCli(['dcotor']);
    expect(code).toBe(2);
    expect(stderr).toContain('doctor');
  });

  test('colours only when they are wanted', async () => {
    const args = ['run', './absent.mjs'];
    const plain = await runCli(args, { cwd });
    const forced = await runCli(args, { cwd, env: { FORCE_COLOR: '1' } });
    const never = await runCli(args, {
      cwd,
      env: { FORCE_COLOR: '1', NO_COLOR: '1' },
    });
    expect(plain.stderr).not.toContain('\x1b[');
    expect(forced.stderr).toContain('\x1b[');
    expect(never.stderr).toBe(plain.stderr);
  });

  test('without the addon the exit code is 3', async () => {
    const env = {
      SLOPPY_WORKERS_PRESET: 'absent',
      SLOPPY_WORKERS_BINARY: '/absent',
    };
    const ran = await run(['tasks.mjs'], { env });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(Code.BridgeUnavailable);
    const { code, stdout } = await runCli(['doctor', '--json'], { env });
    expect(code).toBe(1);
    const { checks } = JSON.parse(stdout);
    const statusOf = (id) => checks.find((row) => row.id === id).status;
    expect(statusOf('addon.binary')).toBe('error');
    expect(statusOf('engine.v8')).toBe('warn');
    expect(statusOf('isolate.start')).toBe('error');
  });
});
