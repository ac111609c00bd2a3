'use strict';

const fs = require('node:fs');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const { fixture, pool, stopAll } = require('./support.js');

afterEach(stopAll);

// A startup module that opens what Node alone can open.
const reader = (runtime) =>
  pool(
    { read: { text: 'finished({ content: this.content })' } },
    {
      runtime,
      onStartup: {
        module: fixture('startup-file.mjs'),
        arguments: { file: __filename },
      },
    },
  );

test('a startup module that needs I/O has it on a thread of Node', async () => {
  const { content } = await reader('thread').send({ type: 'read' });
  expect(content).toBe(fs.readFileSync(__filename, 'utf8'));
});

test('in an isolate the answer names the built-in and the runtime', async () => {
  const answer = await reader('isolate').send({ type: 'read' });
  expect(answer.code).toBe(Code.StartupFailed);
  const { message } = JSON.parse(answer.caughtError);
  expect(message).toMatch(/node:fs \(readFileSync\)/);
  expect(message).toMatch("runtime: 'thread'");
});
