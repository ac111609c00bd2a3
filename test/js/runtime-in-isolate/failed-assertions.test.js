'use strict';

// The message of an assertion without one quotes its call, as Node's does.

const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const { describeHere, sandboxes } = require('../executors/sandbox/support.js');
const { bothPlaces } = require('../support/both-places.js');

const places = bothPlaces();
const FILE = join(__dirname, 'fixtures/failing-assertions.mjs');

const messagesOf = async ({ input }) => (await import(input)).messages();

test('of calls in a module', async () => {
  const { isolates, threads } = places;
  const expected = await threads.run(messagesOf, { input: FILE });
  const quoted = expected.filter((row) => row.at(-1)?.includes('assert'));
  expect(quoted.length).toBeGreaterThan(20);
  expect(await isolates.run(messagesOf, { input: FILE })).toEqual(expected);
});

test('of a call in a function that was sent', async () => {
  const job = async () => {
    const { default: check } = await import('node:assert');
    const value = 0;
    const seen = [];
    for (const work of [() => check(value, null), () => check.ok(!check)]) {
      try {
        work();
      } catch (error) {
        seen.push(error.message);
      }
    }
    return seen;
  };
  const folder = mkdtempSync(join(tmpdir(), 'sloppy-'));
  const file = join(folder, 'job.mjs');
  writeFileSync(file, `export const messages = ${job};\n`);
  const { isolates, threads } = places;
  const expected = await threads.run(messagesOf, { input: file });
  rmSync(folder, { recursive: true });
  expect(expected[0]).toMatch('check(value, null)');
  expect(await isolates.run(job)).toEqual(expected);
});

// Node 22 shows a line of its own library, and throws a SyntaxError for a piece
// of a template.
test('without a call of the user, and with one that is cut', async () => {
  const messages = await places.isolates.run(async () => {
    const { default: assert } = await import('node:assert');
    const seen = [];
    const see = (error) => seen.push(`${error.name}: ${error.message}`);
    await new Promise((go) => queueMicrotask(go)).then(assert).catch(see);
    try {
      // biome-ignore format: the template goes on in the next line
      assert(`a
        b` === '');
    } catch (error) {
      see(error);
    }
    return seen;
  });
  expect(messages).toHaveLength(2);
  for (const message of messages) {
    expect(message).toMatch(/^AssertionError: /);
    expect(message).not.toMatch(/sloppy|getError|Microtask/);
  }
  expect(messages[1]).toMatch(/\n\n {2}assert\(`a\n/);
});

test('a job that has replaced built-ins gets an assertion error', async () => {
  const name = await places.isolates.run(async () => {
    const { default: assert } = await import('node:assert');
    const fail = () => {
      throw new TypeError('replaced');
    };
    const { slice, charCodeAt, indexOf } = String.prototype;
    const { includes, push } = Array.prototype;
    const texts = { slice: fail, charCodeAt: fail, indexOf: fail };
    Object.assign(String.prototype, texts);
    Object.assign(Array.prototype, { includes: fail, push: fail });
    try {
      assert(1 === 2);
    } catch (error) {
      return error.name;
    } finally {
      Object.assign(String.prototype, { slice, charCodeAt, indexOf });
      Object.assign(Array.prototype, { includes, push });
    }
  });
  expect(name).toBe('AssertionError');
});

describeHere('in a sandbox, which has no parser,', () => {
  const create = sandboxes();

  test('a call is not quoted, and fails as elsewhere', async () => {
    const job = async () => {
      const { default: assert } = await import('node:assert');
      try {
        assert(1 === 2);
      } catch ({ name, code, message }) {
        return { name, code, message };
      }
    };
    expect(await create().run(job, { key: 'a' })).toEqual({
      name: 'AssertionError',
      code: 'ERR_ASSERTION',
      message: expect.not.stringContaining('acorn'),
    });
  });
});
