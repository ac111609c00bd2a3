// A server that hashes uploads, treated as its clients and its host treat it.
// The recipes end with it, and the tools' tests of Next and Nest.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';

const OBSERVER = new URL('./uploads-observer.mjs', import.meta.url).href;
const SIZES = [0, 1, 100, 70_000, 5_000_000];
// More than the server has workers, each another text.
const LARGE = randomBytes(4_000_000);
const AT_ONCE = Array.from({ length: 4 + 2 * availableParallelism() }, (_, i) =>
  LARGE.subarray(i),
);
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Starts a request of its own connection, whose body is still to be sent. */
function post(url, length) {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': length,
  };
  const sent = request(url, { method: 'POST', agent: false, headers });
  const answer = once(sent, 'response').then(async ([response]) => ({
    status: response.statusCode,
    retryAfter: response.headers['retry-after'],
    text: (await response.setEncoding('utf8').toArray()).join(''),
  }));
  // A client that goes away waits for neither.
  answer.catch(() => {});
  sent.on('error', () => {});
  return { sent, answer };
}

function upload(url, bytes) {
  const { sent, answer } = post(url, bytes.length);
  sent.end(bytes);
  return answer;
}

async function requireDigest(answer, bytes) {
  const { status, text } = await answer;
  assert.equal(status, 200, text);
  assert.deepEqual(JSON.parse(text), { sha256: sha256(bytes) });
}

/** Uploads until it is taken: jobs of clients that left may keep all workers. */
async function uploadAgain(url, bytes) {
  for (let tries = 0; tries < 500; tries += 1) {
    const answer = await upload(url, bytes);
    if (answer.status !== 503) return answer;
    await setTimeout(20);
  }
  return assert.fail('a server without clients refuses one');
}

async function checkDigests(url) {
  for (const size of SIZES) {
    const bytes = randomBytes(size);
    await requireDigest(uploadAgain(url, bytes), bytes);
  }
}

/** Sends more at once than may run, until the server refuses some. */
async function checkFull(url) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answers = await Promise.all(AT_ONCE.map((one) => upload(url, one)));
    const refused = answers.filter(({ status }) => status === 503);
    for (const { retryAfter } of refused) assert.match(retryAfter, /^[1-9]/);
    for (const [i, answer] of answers.entries()) {
      if (answer.status !== 503) await requireDigest(answer, AT_ONCE[i]);
    }
    if (refused.length > 0) return refused.length;
  }
  return assert.fail('a full queue refuses nothing');
}

/** Clients go away once they have sent all, until one's job is cancelled. */
async function checkGone(url, told) {
  const cancelled = () => told('job:settled', 'SLOPPY_E_WORK_JOB_CANCELLED');
  for (let tries = 0; tries < 100 && cancelled() === 0; tries += 1) {
    const { sent } = post(url, AT_ONCE[0].length);
    sent.end(AT_ONCE[0], () => sent.destroy());
    await new Promise((resolve) => sent.once('close', resolve));
    await checkDigests(url);
  }
  assert.notEqual(cancelled(), 0, 'nobody waits for it, and it is computed');
}

async function isListening(url) {
  const { sent, answer } = post(url, 0);
  sent.end();
  return answer.then(
    () => true,
    () => false,
  );
}

/** A signal comes in the middle of an upload, which still gets its answer. */
async function checkEnd(url, child) {
  // Its messages have arrived by then.
  const ended = once(child, 'close');
  const bytes = randomBytes(1_000_000);
  const { sent, answer } = post(url, bytes.length);
  sent.write(bytes.subarray(0, 400_000));
  await checkDigests(url);
  child.kill('SIGTERM');
  while (await isListening(url)) await setTimeout(20);
  sent.end(bytes.subarray(400_000));
  await requireDigest(answer, bytes);
  return (await ended).join();
}

/** The address that a server prints once it listens. */
async function addressOf(child) {
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({
    destroyOnReturn: false,
  })) {
    printed += text;
    const [address] = /http:\S+:\d+/.exec(printed) ?? [];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  return assert.fail(`the server does not listen\n${printed}`);
}

/**
 * @param {string[]} args of node, that start a server on the port of the
 *   variable PORT, whose queue has as many places as QUEUED says
 * @param {{ node?: string, cwd?: string, env?: object, path?: string,
 *   ends?: string[], stops?: boolean }} [options] ends: the exit codes and
 *   signals with which it may end; stops: it stops its pool before
 */
export async function tryUploads(args, options = {}) {
  const { node = process.execPath, cwd, env = process.env } = options;
  const { path = '/sha256', ends = ['0,'], stops = true } = options;
  const child = spawn(node, ['--import', OBSERVER, ...args], {
    cwd,
    env: { ...env, PORT: '0', QUEUED: '0' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const events = [];
  child.on('message', (event) => events.push(event));
  const told = (name, code = null) =>
    events.filter((one) => one.name === name && one.code === code).length;
  try {
    const url = new URL(path, await addressOf(child));
    await checkDigests(url);
    console.log(`refused beside others: ${await checkFull(url)}`);
    await checkGone(url, told);
    const end = await checkEnd(url, child);
    console.log(`ended with ${end}`);
    assert.ok(ends.includes(end), `it ended with ${end}`);
    assert.equal(told('pool:created'), 1);
    assert.equal(told('pool:stopped'), stops ? 1 : 0);
  } finally {
    child.kill('SIGKILL');
  }
}
