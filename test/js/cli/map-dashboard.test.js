'use strict';

const { once } = require('node:events');
const { createServer, request } = require('node:http');
const path = require('node:path');

const { runCli, startCli } = require('../support/cli.js');

const cwd = path.join(__dirname, 'fixtures');
const MAP = ['map', 'records.mjs#same', '--format', 'ndjson'];
// Each test starts processes, on machines that may be busy.
jest.setTimeout(240_000);

/** @returns {Promise<string>} what stderr says of its address */
async function addressOf(child) {
  let text = '';
  for (;;) {
    const found = /http:\/\/[^"\s]+/.exec(text)?.[0];
    if (found) return found;
    text += (await once(child.stderr, 'data'))[0];
  }
}

/** Reads the stream until a sample says that a job was completed. */
async function firstResult(url) {
  const response = await fetch(`${url}?events`);
  let text = '';
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    const found = /"completed":([1-9]\d*)/.exec(text);
    if (found) return Number(found[1]);
  }
  return 0;
}

const statusFor = (url, host) =>
  new Promise((resolve) => {
    request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });

describe('sloppy-workers map --dashboard', () => {
  test('serves a page of the run until it ends', async () => {
    const args = [...MAP, '--dashboard', '0', '--batch', '1'];
    const { child, ended } = startCli(args, { cwd, input: 'open' });
    const url = await addressOf(child);
    expect(new URL(url).hostname).toBe('127.0.0.1');
    child.stdin.write('{"id":0}\n');
    const page = await (await fetch(url)).text();
    expect(page).toContain(
      '<title>sloppy-workers map records.mjs#same</title>',
    );
    expect(await statusFor(url, 'example.org')).toBe(403);
    expect(await firstResult(url)).toBeGreaterThan(0);
    child.stdin.end('{"id":1}\n');
    const { code, stdout } = await ended;
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: '{"id":0}\n{"id":1}\n',
    });
  });

  test('a port that is taken ends it before it began', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const port = String(server.address().port);
    const args = [...MAP, '--dashboard', port];
    const ended = await runCli(args, { cwd, input: '1\n' });
    server.close();
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain(`cannot listen on 127.0.0.1:${port}`);
  });

  test.each(['65536', '-1', 'x'])('%s is no port', async (port) => {
    const args = [...MAP, `--dashboard=${port}`];
    expect(await runCli(args, { cwd, input: '1\n' })).toMatchObject({
      code: 2,
    });
  });
});
