'use strict';

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { runCli, startCli } = require('../support/cli.js');

const cwd = path.join(__dirname, 'fixtures');
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);
const map = (name, args, options) =>
  runCli(['map', `records.mjs#${name}`, ...args], { cwd, ...options });

let folder;
const file = (name) => path.join(folder, name);
const read = (name) => readFileSync(file(name), 'utf8');
const write = (name, text) => {
  writeFileSync(file(name), text);
  return file(name);
};

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-cli-map-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ndjson = (count) =>
  Array.from({ length: count }, (_, id) => `{"id":${id}}\n`).join('');
const ids = (text) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
const range = (count) => Array.from({ length: count }, (_, id) => id);

describe('sloppy-workers map: formats', () => {
  test.each([
    ['ndjson', '\uFEFF{"a":"é"}\r\n\n[1]\n"x"', '{"a":"é"}\n[1]\n"x"\n'],
    [
      'json',
      ' [1, {"a":"],[\\"€"},\n[[]], null ] ',
      '1\n{"a":"],[\\"€"}\n[[]]\nnull\n',
    ],
    ['json', '[]', ''],
    [
      'csv',
      'a,b\r\n1,"x\ny"\r\n\r\n"q""q",é',
      '{"a":"1","b":"x\\ny"}\n{"a":"q\\"q","b":"é"}\n',
    ],
    ['lines', 'one\r\n\ntwo', 'one\n\ntwo\n'],
    ['ndjson', '', ''],
    ['lines', '', ''],
    ['csv', 'a,b\n', ''],
  ])('%s from stdin: %j', async (format, input, expected) => {
    const ended = await map('same', ['--format', format], { input });
    expect(ended).toMatchObject({ code: 0, stdout: expected });
  });

  test('formats are guessed by the names of the files', async () => {
    const input = write('people.csv', 'name,note\nAda,"a, b"\nBob,\n');
    const ended = await map('same', [input, '--output', file('people.json')]);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(read('people.json'))).toEqual([
      { name: 'Ada', note: 'a, b' },
      { name: 'Bob', note: '' },
    ]);
    await map('same', [file('people.json'), '-o', file('again.tsv')]);
    expect(read('again.tsv')).toBe('name\tnote\nAda\ta, b\nBob\t\n');
    await map('same', [file('again.tsv'), '-o', file('last.jsonl')]);
    expect(read('last.jsonl')).toBe(
      '{"name":"Ada","note":"a, b"}\n{"name":"Bob","note":""}\n',
    );
  });

  test('no results are an empty array of JSON', async () => {
    const ended = await map('same', ['-F', 'json'], { input: '' });
    expect(ended.stdout).toBe('[]\n');
  });

  test('CSV without header, and with columns named', async () => {
    const rows = await map('same', ['-f', 'csv', '--no-header'], {
      input: '1;2\n3;4\n',
    });
    expect(rows.stdout).toBe('["1;2"]\n["3;4"]\n');
    const args = ['-f', 'csv', '--no-header', '--delimiter', ';'];
    const cut = await map('same', [...args, '-F', 'csv'], { input: '1;2\n' });
    expect(cut.stdout).toBe('1,2\n');
    const named = await map('same', ['-F', 'csv', '--columns', 'b,a'], {
      input: '{"a":1,"b":[2]}\n{"a":"x\\"y"}\n{"c":1}\n',
    });
    expect(named.stdout).toBe('b,a\n[2],1\n,"x""y"\n,\n');
    expect(named.stderr).toContain('1 with fields that have no column');
  });

  test('a result that is undefined is left out', async () => {
    const { stdout, stderr } = await map('odd', [], { input: ndjson(5) });
    expect(ids(stdout)).toEqual([1, 3]);
    expect(stderr).toContain('5 records, 2 written, 3 without a result');
  });

  test('a record knows its place in the input', async () => {
    const { stdout } = await map('place', ['-f', 'lines'], { input: 'a\nb\n' });
    expect(stdout).toBe('0\n1\n');
  });
});

describe('sloppy-workers map: order and speed', () => {
  test.each([
    ['same', []],
    ['later', ['--workers', '3']],
    ['same', ['--batch', '1']],
  ])('%s %j keeps the order of many records', async (name, args) => {
    const { code, stdout } = await map(name, args, { input: ndjson(3000) });
    expect(code).toBe(0);
    expect(ids(stdout)).toEqual(range(3000));
  });

  test('--unordered loses and doubles nothing', async () => {
    const { stdout } = await map('same', ['--unordered', '--batch', '7'], {
      input: ndjson(3000),
    });
    expect(ids(stdout).sort((a, b) => a - b)).toEqual(range(3000));
  });

  test('results do not wait for the end of the input', async () => {
    const { child, ended } = startCli(['map', 'records.mjs#same'], {
      cwd,
      input: 'open',
    });
    for (const value of ['1', '2']) {
      child.stdin.write(`${value}\n`);
      const seen = await new Promise((resolve) =>
        child.stdout.once('data', resolve),
      );
      expect(seen).toBe(`${value}\n`);
    }
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0, stdout: '1\n2\n' });
  });
});

describe('sloppy-workers map: failures', () => {
  const others = range(20).filter((id) => id !== 7);

  test('stop ends the run at the first record that fails', async () => {
    const { code, stdout, stderr } = await map('notSeven', [], {
      input: ndjson(20),
    });
    expect(code).toBe(1);
    expect(ids(stdout)).toEqual(range(7));
    expect(stderr).toContain('record 8 failed: TypeError: seven is not liked');
    expect(stderr).toMatch(/at notSeven .*records\.mjs/);
    expect(stderr).not.toContain('callBatch');
  });

  test('skip goes on, and tells', async () => {
    const { code, stdout, stderr } = await map(
      'notSeven',
      ['--on-error', 'skip'],
      { input: ndjson(20) },
    );
    expect(code).toBe(0);
    expect(ids(stdout)).toEqual(others);
    expect(stderr).toContain('record 8 failed: TypeError');
    expect(stderr).toContain('20 records, 19 written, 1 failed');
  });

  test('dead-letter keeps the record and its error', async () => {
    const args = ['--on-error', 'dead-letter', file('bad.ndjson')];
    const { code, stdout } = await map('notSeven', args, { input: ndjson(20) });
    expect(code).toBe(0);
    expect(ids(stdout)).toEqual(others);
    expect(JSON.parse(read('bad.ndjson'))).toEqual({
      record: 8,
      error: { name: 'TypeError', message: 'seven is not liked' },
      attempts: 1,
      text: '{"id":7}',
    });
  });

  test.each([
    // Time enough for a record that is held up, and CPU time for any.
    ['stuckAtSeven', ['--timeout', '3s'], 'timed out'],
    ['stuckAtSeven', ['--cpu', '500ms'], 'CPU time'],
    ['hungryAtSeven', ['--memory', '32'], 'memory'],
  ])('%s %j costs that record only', async (name, args, text) => {
    const { code, stdout, stderr } = await map(
      name,
      [...args, '--on-error', 'skip'],
      { input: ndjson(20) },
    );
    expect(code).toBe(0);
    expect(ids(stdout)).toEqual(others);
    expect(stderr).toMatch(new RegExp(`record 8 failed: .*${text}`));
  });

  test('what other records have left in an isolate costs none', async () => {
    const args = ['--memory', '16', '--on-error', 'skip', '--workers', '2'];
    const input = ndjson(100);
    const { code, stdout, stderr } = await map('leavesMuch', args, { input });
    expect(code).toBe(0);
    expect(stderr).not.toContain('failed');
    expect(ids(stdout)).toEqual(range(100));
  });

  test('--retries tries the record again, and no other', async () => {
    const args = ['--retries', '4', '--workers', '1'];
    const input = ndjson(20);
    const { code, stdout } = await map('secondTime', args, { input });
    expect(code).toBe(0);
    expect(ids(stdout)).toEqual(range(20));
    const given = await map('notSeven', [...args, '--retries', '1'], { input });
    expect(given.code).toBe(1);
    expect(ids(given.stdout)).toEqual(range(7));
  });

  test.each([
    ['ndjson', '1\n{bad\n2\n', 'NotJson', 2],
    ['json', '[1,{"a"},2]', 'NotJson', 2],
    ['ndjson', '1\n{"id":9007199254740993}\n2\n', 'NotExact', 2],
    ['json', '[1,[-12345678901234567890],2]', 'NotExact', 2],
    ['ndjson', '1\n9007199254740993.0\n2\n', 'NotExact', 2],
    ['ndjson', '1\n9007199254740993e0\n2\n', 'NotExact', 2],
    ['ndjson', '1\n[9.007199254740993E+15]\n2\n', 'NotExact', 2],
    ['ndjson', '1\n{"a":1234567890123456789e4}\n2\n', 'NotExact', 2],
    ['csv', 'a,b\n1,2\n1\n3,4\n', 'NotCsv', 3],
    ['csv', 'a,b\n1,2\n"x"y,1\n3,4\n', 'NotCsv', 3],
    ['lines', Buffer.from([0x61, 0x0a, 0xff, 0x0a, 0x62]), 'NotUtf8', 2],
    ['lines', `a\n${'x'.repeat(200_000)}\nb\n`, 'RecordTooLong', 2],
  ])('a broken record of %s fails alone', async (format, input, name, at) => {
    const args = ['-f', format, '--on-error', 'skip', '--max-record', '1kb'];
    const { code, stdout, stderr } = await map('same', args, { input });
    expect(code).toBe(0);
    expect(stdout.trim().split('\n')).toHaveLength(2);
    expect(stderr).toContain(`record ${at} failed: ${name}: `);
  });

  test('integers that a double holds, and digits in texts, pass', async () => {
    const input =
      '{"id":9007199254740992,"b":"9007199254740993"}\n1e20\n' +
      '3804640965202595000\n1e300\n1.7976931348623157e308\n' +
      '0.12345678901234567890\n9007199254740994.0\n123456.78901234567\n';
    const { code, stdout } = await map('same', ['-f', 'ndjson'], { input });
    expect(code).toBe(0);
    expect(stdout).toBe(
      '{"id":9007199254740992,"b":"9007199254740993"}\n100000000000000000000\n' +
        '3804640965202595000\n1e+300\n1.7976931348623157e+308\n' +
        '0.12345678901234568\n9007199254740994\n123456.78901234567\n',
    );
  });

  test('two columns of one name are refused before any record', async () => {
    const input = 'id,name,id\n1,a,2\n';
    const refused = await map('same', ['-f', 'csv'], { input });
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('column 3 of the CSV'),
    });
    const output = write('kept.ndjson', 'what stood there');
    await map('same', ['-f', 'csv', '--output', output], { input });
    expect(read('kept.ndjson')).toBe('what stood there');
    const arrays = await map('same', ['-f', 'csv', '--no-header'], { input });
    expect(arrays.code).toBe(0);
    expect(arrays.stdout).toContain('["1","a","2"]');
  });

  test('--json tells the counts', async () => {
    const args = ['--json', '--on-error', 'skip'];
    const { stdout, stderr } = await map('notSeven', args, {
      input: ndjson(9),
    });
    expect(ids(stdout)).toHaveLength(8);
    expect(JSON.parse(stderr)).toEqual({
      records: 9,
      written: 8,
      failed: 1,
      dropped: 0,
      isFinished: true,
      isResumed: false,
      elapsedMs: expect.any(Number),
    });
  });

  test.each([
    ['json', '{"a":1}', 'no JSON array'],
    ['json', '[1,2', 'does not end'],
    ['json', '[1] 2', 'after the JSON array'],
    ['csv', '"a', 'header'],
    ['lines', Buffer.from('\uFEFFa', 'utf16le'), 'UTF-16'],
  ])('input that is no %s ends the run: %j', async (format, input, text) => {
    const { code, stderr } = await map('same', ['-f', format], { input });
    expect(code).toBe(1);
    expect(stderr).toContain('error SLOPPY_CLI_INPUT');
    expect(stderr).toContain(text);
  });
});

describe('sloppy-workers map: use', () => {
  test.each([
    [['absent', '-'], 2, 'no exported function'],
    [['same', 'absent.csv'], 3, 'there is no such file'],
    [['same', '.'], 2, 'format'],
    [['same', '.', '-f', 'csv'], 3, 'folder'],
    [['same', 'tasks.mjs'], 2, '--format'],
    [['same', '-', '-o', 'absent/out.csv'], 3, 'cannot write'],
    [['same', '-', '--checkpoint', 'c'], 2, 'stdin'],
    [['same', 'a.csv', '--checkpoint', 'c'], 2, '--output'],
    [['same', 'a.csv', '-o', './a.csv'], 2, 'must differ'],
    [['same', '-', '--on-error', 'cry'], 2, 'dead-letter FILE'],
    [['same', '-', '--workers', '0'], 2, 'whole number'],
    [['same', '-', '--format', 'xml'], 2, 'ndjson'],
    [['same', '-', '--delimiter', 'ab'], 2, 'one ASCII character'],
    [['same', '-', '--max-record', '1gb'], 2, '256mb'],
  ])('%j ends with exit code %i: %s', async ([name, ...args], exit, text) => {
    const { code, stdout, stderr } = await map(name, args);
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(text);
  });

  test('a function that does not load leaves the output as it was', async () => {
    const output = write('kept.ndjson', 'precious\n');
    const { code } = await map('absent', ['-', '-o', output]);
    expect(code).toBe(2);
    expect(read('kept.ndjson')).toBe('precious\n');
  });
});
