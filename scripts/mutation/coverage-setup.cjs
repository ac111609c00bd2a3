'use strict';
// In Jest, for scripts/test-mutation.mjs: which functions of lib a test file
// has called, by name.

const { Session } = require('node:inspector');
const { randomUUID } = require('node:crypto');
const { writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const { SW_MUTATION_COVERAGE: folder, SW_MUTATION_ROOT: root } = process.env;
const session = new Session();
const began = performance.now();

const post = (method, parameters) =>
  new Promise((resolve, reject) => {
    session.post(method, parameters, (error, result) =>
      error ? reject(new Error(error.message)) : resolve(result),
    );
  });

beforeAll(async () => {
  session.connect();
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', {
    callCount: true,
    detailed: false,
  });
  // The files that the test has loaded began before; their functions not yet.
});

afterAll(async () => {
  const { result } = await post('Profiler.takePreciseCoverage');
  session.disconnect();
  const files = {};
  for (const { url, functions } of result) {
    const path = relative(root, url.replace('file://', ''));
    if (!path.startsWith('lib/')) continue;
    const called = functions
      .filter(({ ranges }) => ranges[0].count > 0)
      .map(({ functionName }) => functionName.replace(/^[gs]et |^#/g, ''));
    files[path] = [...new Set([...(files[path] ?? []), ...called])];
  }
  const { testPath } = expect.getState();
  const test = relative(root, testPath);
  const ms = performance.now() - began;
  // The same test may run in two projects.
  const name = randomUUID();
  writeFileSync(
    join(folder, `${name}.json`),
    JSON.stringify({ test, ms, files }),
  );
});
