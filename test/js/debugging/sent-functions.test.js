'use strict';
// A function that is sent stands at its place in its own file while Node's
// inspector is open.

const { runNode } = require('../support/run-node.js');
const { connect, debugged, placeOf, workersOf } = require('./support.js');

const FILE = 'sent.cjs';
// A limit of the fixture's job, several times.
const PAUSED_MS = 1600;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const programs = [];
afterEach(() => {
  for (const program of programs.splice(0)) {
    program.explain();
    program.kill();
  }
});

function start(runtime, ...flags) {
  const program = debugged(FILE, [runtime], flags);
  programs.push(program);
  return program;
}

const placesIn = (out) =>
  JSON.parse(out).frames.map((frame) => frame.replace(/:\d+$/, ''));
const expected = ['thrown', 'method'].map((comment) => {
  const { url, line } = placeOf(FILE, comment);
  return `${url}:${line + 1}`;
});

test('a breakpoint in a thread is hit, and its time limit stands still', async () => {
  const program = start('thread', '--inspect-brk=0');
  const root = await connect(await program.url);
  const { url, line } = placeOf(FILE, 'breakpoint');
  let worker;
  const attached = new Promise((resolve) => {
    workersOf(root, async (session) => {
      await session.post('Debugger.enable');
      await session.post('Debugger.setBreakpointByUrl', {
        url,
        lineNumber: line,
      });
      worker = session;
      resolve();
      await session.post('Runtime.runIfWaitingForDebugger');
    });
  });
  await root.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  await root.post('Debugger.enable');
  await root.post('Runtime.runIfWaitingForDebugger');
  await root.next('Debugger.paused');
  await root.post('Debugger.resume');
  await attached;
  // Node stops the first line of each thread as well.
  const first = await worker.next('Debugger.paused');
  expect(first.reason).toBe('Break on start');
  await worker.post('Debugger.resume');
  const { callFrames, hitBreakpoints } = await worker.next('Debugger.paused');
  const [{ callFrameId, location }] = callFrames;
  expect(hitBreakpoints).toHaveLength(1);
  expect(location.lineNumber).toBe(line);
  const { result } = await worker.post('Debugger.evaluateOnCallFrame', {
    callFrameId,
    expression: 'input',
  });
  expect(result.value).toBe(21);
  await sleep(PAUSED_MS);
  await worker.post('Debugger.resume');
  await program.isAtEnd;
  root.close();
  const { code, out } = await program.ended;
  expect(code).toBe(0);
  expect(JSON.parse(out).first).toBe(42);
  expect(placesIn(out)).toEqual(expected);
});

test.each(['isolate', 'thread'])(
  'stacks name the file in the runtime %s',
  async (runtime) => {
    const { out, err } = await start(runtime, '--inspect=0').ended;
    expect({ err, places: placesIn(out) }).toMatchObject({ places: expected });
  },
);

// Jest's process is a copy of Node's.
test('the inspector may be opened later, by the program', () => {
  const out = runNode([
    '-e',
    `const { isDebugged } = require('./lib/base/debugger.js');
    const said = [isDebugged()];
    const inspector = require('node:inspector');
    inspector.open(0, '127.0.0.1');
    said.push(isDebugged());
    inspector.close();
    said.push(isDebugged());
    console.log(JSON.stringify(said));`,
  ]);
  expect(JSON.parse(out)).toEqual([false, true, false]);
});
