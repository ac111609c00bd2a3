'use strict';

const assert = require('node:assert');
const { inspect } = require('node:util');

const { copyPayload } = require('../../../lib/payload/copy-payload.js');
const {
  Code,
  DIAGNOSTICS,
} = require('../../../lib/protocol/diagnostics.gen.js');
const { WorkQueue } = require('../../../lib/pool/work-queue.js');
const { PAYLOADS, SECRET } = require('../../contract/payload-corpus.js');

function expectRefusal(error, { name, text }) {
  const code = Code[name];
  expect(error.code).toBe(code);
  if (text !== undefined) expect(error.message).toBe(`${code}: ${text}`);
  expect(error.message.startsWith(`${code}: worker`)).toBe(true);
  expect(error).not.toHaveProperty('cause');
  expect(inspect(error, { showHidden: true })).not.toContain(SECRET);
  expect(DIAGNOSTICS[code].hint).toBe(error.hint);
}

const accepted = PAYLOADS.filter(([, , { kind }]) => kind === 'copies');
const refused = PAYLOADS.filter(([, , { kind }]) => kind === 'refuses');

test('the corpus has rows of both kinds and no name twice', () => {
  expect(accepted).not.toHaveLength(0);
  expect(refused).not.toHaveLength(0);
  expect(new Set(PAYLOADS.map(([name]) => name)).size).toBe(PAYLOADS.length);
});

describe('copyPayload', () => {
  test.each(accepted)('copies %s', (_name, makeValue, expectation) => {
    const value = makeValue();
    const { value: copy } = copyPayload(value);
    assert.deepStrictEqual(copy, expectation.makeExpected());
    if (typeof copy === 'object' && copy !== null) {
      expect(copy).not.toBe(value);
    }
    expectation.verify?.(copy, value);
  });

  test.each(refused)('refuses %s', (_name, makeValue, expectation) => {
    let thrown;
    try {
      copyPayload(makeValue());
    } catch (error) {
      thrown = error;
    }
    expectRefusal(thrown, expectation);
  });
});

describe('WorkQueue.enqueue', () => {
  test.each(accepted)(
    'hands over %s',
    async (_name, makeValue, expectation) => {
      const queue = WorkQueue.create('corpus').process(({ data }) => [data]);
      const value = makeValue();
      const [copy] = await queue.enqueue(value);
      assert.deepStrictEqual(copy, expectation.makeExpected());
      expectation.verify?.(copy, value);
    },
  );

  test.each(refused)('rejects %s', async (_name, makeValue, expectation) => {
    const handler = jest.fn();
    const queue = WorkQueue.create('corpus').process(handler);
    const before = queue.state;
    const error = await queue.enqueue(makeValue()).catch((reason) => reason);
    expectRefusal(error, expectation);
    expect(queue.state).toEqual(before);
    expect(handler).not.toHaveBeenCalled();
  });
});
