'use strict';
// A debugger finds the lines of a source that was compiled.

const { SourceMap } = require('node:module');
const { join } = require('node:path');

const { openInspector } = require('../../../lib/index.js');
const { endAll, ends, ownWorkersOf, poolOf } = require('./attached.js');
const { connect, placeOf } = require('./support.js');

afterEach(endAll);

/**
 * Calls an export in a worker that waits for its debugger.
 *
 * @returns {Promise<{ job: Promise<unknown>, worker: object }>}
 */
async function callIn(file) {
  ends.inspector = await openInspector({ port: 0 });
  const root = await connect(ends.inspector.url);
  ends.clients.push(root);
  const attached = new Promise((resolve) => ownWorkersOf(root, resolve));
  await root.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  const pool = poolOf({ module: join(__dirname, 'fixtures', file) });
  const job = pool.invoke('crunch', { n: 4 });
  return { job, worker: await attached };
}

/** @returns {Promise<object>} what V8 says of the script, once it is there */
function parsed(worker, url) {
  return new Promise((resolve) => {
    worker.on('Debugger.scriptParsed', (script) => {
      if (script.url === url) resolve(script);
    });
  });
}

test('a map beside a file is named, and its lines are hit', async () => {
  const place = placeOf('bundled.mjs', 'bundled');
  const { job, worker } = await callIn('bundled.mjs');
  const script = parsed(worker, place.url);
  await worker.post('Debugger.enable');
  await worker.post('Debugger.setBreakpointByUrl', {
    url: place.url,
    lineNumber: place.line,
  });
  await worker.post('Runtime.runIfWaitingForDebugger');
  expect((await script).sourceMapURL).toBe('bundled.mjs.map');
  const { callFrames } = await worker.next('Debugger.paused');
  expect(callFrames[0].location.lineNumber).toBe(place.line);
  await worker.post('Debugger.resume');
  expect(await job).toBe(6);
});

test('TypeScript without its types names its file', async () => {
  const { url, line } = placeOf('typed.mts', 'typed');
  const { job, worker } = await callIn('typed.mts');
  const script = parsed(worker, url);
  const urls = new Map();
  worker.on('Debugger.scriptParsed', (each) => {
    urls.set(each.scriptId, each.url);
  });
  await worker.post('Debugger.enable');
  await worker.post('Debugger.setBreakpointByUrl', { url, lineNumber: line });
  await worker.post('Runtime.runIfWaitingForDebugger');
  // Editors compare the text of others with their file, and show a copy.
  expect((await script).hasSourceURL).toBe(true);
  const { callFrames } = await worker.next('Debugger.paused');
  const [own, ...below] = callFrames.map(({ location }) =>
    urls.get(location.scriptId),
  );
  expect(own).toBe(url);
  expect(below.length).toBeGreaterThan(0);
  for (const each of below) {
    expect(each).toMatch(/^node:internal\/sloppy-workers\//);
  }
  await worker.post('Debugger.resume');
  expect(await job).toBe(5);
});

test('TypeScript that is transformed has its map inside', async () => {
  const { url, line } = placeOf('transformed.mts', 'transformed');
  const { job, worker } = await callIn('transformed.mts');
  const script = parsed(worker, url);
  await worker.post('Debugger.enable');
  await worker.post('Debugger.setInstrumentationBreakpoint', {
    instrumentation: 'beforeScriptWithSourceMapExecution',
  });
  await worker.post('Runtime.runIfWaitingForDebugger');
  const { scriptId, sourceMapURL } = await script;
  await worker.next('Debugger.paused');
  const text = decodeURIComponent(sourceMapURL.replace(/^data:[^,]*,/, ''));
  const map = new SourceMap(JSON.parse(text));
  const { scriptSource } = await worker.post('Debugger.getScriptSource', {
    scriptId,
  });
  // An editor asks for this: the generated place of a line of the source.
  const generated = scriptSource
    .split('\n')
    .findIndex((_, i) => map.findEntry(i, 4).originalLine === line);
  expect(generated).not.toBe(line);
  await worker.post('Debugger.setBreakpoint', {
    location: { scriptId, lineNumber: generated },
  });
  await worker.post('Debugger.resume');
  const { callFrames } = await worker.next('Debugger.paused');
  const value = await worker.post('Debugger.evaluateOnCallFrame', {
    callFrameId: callFrames[0].callFrameId,
    expression: 'sum',
  });
  expect(value.result.value).toBe(4);
  await worker.post('Debugger.resume');
  expect(await job).toBe(6);
});
