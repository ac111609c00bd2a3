'use strict';

const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const { runCli, startCli } = require('../support/cli.js');

// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

let folder;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sw-cli-bench-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('sloppy-workers bench', () => {
  test('measures, as a table, as JSON and as an SVG', async () => {
    const args = ['bench', '--rounds', '1', '--workers', '1'];
    const table = await runCli([...args, '--svg', 'bench.svg'], {
      cwd: folder,
    });
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toMatch(/sloppy-workers +worker_threads/);
    for (const unit of ['ms', 'µs', 'k/s', 'MiB']) {
      expect(table.stdout).toMatch(new RegExp(`[0-9] ${unit}`));
    }
    const svg = readFileSync(path.join(folder, 'bench.svg'), 'utf8');
    expect(svg).toMatch(/^<svg xmlns=[\s\S]*<\/svg>\n$/);
    expect(svg.match(/<rect x=/g)).toHaveLength(8);
    const { stdout } = await runCli([...args, '--json'], { cwd: folder });
    const positive = expect.any(Number);
    const numbers = {
      start: positive,
      roundTrip: positive,
      throughput: positive,
      memory: positive,
    };
    expect(JSON.parse(stdout)).toMatchObject({
      rounds: 1,
      workers: 1,
      results: { 'sloppy-workers': numbers, worker_threads: numbers },
    });
  });

  test.each([
    [['--rounds', '0'], 2],
    [['--rounds', '1', '--svg', 'absent/bench.svg'], 3],
  ])('%j ends with exit code %i', async (args, exit) => {
    const { code, stdout } = await runCli(['bench', ...args], {
      cwd: folder,
    });
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
  });

  test('stops at Ctrl-C', async () => {
    const { child, ended } = startCli(['bench', '--rounds', '1000'], {
      cwd: folder,
      env: { NODE_DEBUG: 'child_process' },
    });
    // The first measurement has begun.
    await new Promise((resolve) => child.stderr.once('data', resolve));
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
  });
});
