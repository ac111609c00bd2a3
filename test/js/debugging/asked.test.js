'use strict';
// The endpoint that the environment or the command line asks for.

const { spawnSync } = require('node:child_process');
const http = require('node:http');
const path = require('node:path');

const { connect, debugged, placeOf, workersOf } = require('./support.js');

const CLI = '../../../../bin/sloppy-workers.js';
const MODULE = path.join(__dirname, 'fixtures/work.mjs');
const N_OF_CRUNCH = 4;

const programs = [];
const clients = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const program of programs.splice(0)) program.kill();
});

function start(name, args, options) {
  const program = debugged(name, args, [], options);
  programs.push(program);
  return program;
}

/** @returns {Promise<object>} the session of its first worker */
async function workerOf(program, waits = false) {
  const root = await connect(await program.url);
  clients.push(root);
  return new Promise((resolve) => {
    workersOf(root, resolve);
    root.post('NodeWorker.enable', { waitForDebuggerOnStart: waits });
  });
}

describe('SLOPPY_WORKERS_INSPECT', () => {
  const withInspect = (text) => ({ env: { SLOPPY_WORKERS_INSPECT: text } });

  test('opens the endpoint for the first pool', async () => {
    const program = start('asked.cjs', ['crunch'], withInspect('127.0.0.1:0'));
    const worker = await workerOf(program);
    await worker.post('Debugger.enable');
    const { scriptId } = await new Promise((resolve) => {
      worker.on('Debugger.scriptParsed', (script) => {
        if (script.url.endsWith('work.mjs')) resolve(script);
      });
      worker
        .post('Debugger.disable')
        .then(() => worker.post('Debugger.enable'));
    });
    expect(scriptId).toEqual(expect.any(String));
    await worker.post('Debugger.setBreakpointByUrl', {
      urlRegex: 'work\\.mjs$',
      lineNumber: 5,
    });
    program.child.stdin.write('go\n');
    const { callFrames } = await worker.next('Debugger.paused');
    expect(callFrames[0].functionName).toBe('crunch');
    await worker.post('Debugger.disable');
    const { code, out } = await program.ended;
    expect({ code, out }).toEqual({ code: 0, out: '10\n15\n' });
  });

  test('shows what workers print, at its place', async () => {
    const program = start('asked.cjs', ['say'], withInspect('0'));
    const worker = await workerOf(program);
    await worker.post('Runtime.enable');
    program.child.stdin.write('go\n');
    const { type, args, stackTrace } = await worker.next(
      'Runtime.consoleAPICalled',
    );
    expect([type, args[0].value, args[1].type]).toEqual([
      'log',
      'hello',
      'object',
    ]);
    const { url, line } = placeOf('work.mjs', 'said');
    expect(stackTrace.callFrames[0]).toMatchObject({
      functionName: 'say',
      url,
      lineNumber: line,
    });
    const types = [];
    while (types.length < 3) {
      const told = await worker.next('Runtime.consoleAPICalled');
      types.push(told.type);
    }
    // The methods that these call do not ask once more.
    expect(types).toEqual(['assert', 'count', 'info']);
    const { code, out, err } = await program.ended;
    expect(code).toBe(0);
    expect(out).toContain('hello { n: 1 }\nhello: 1\nover\n');
    expect(out).toContain("[ 'log', 'function' ]\n");
    expect(err).toContain('Assertion failed: is hello');
  });

  test('takes another port if that one is taken', async () => {
    const taken = http.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address();
    const program = start('asked.cjs', [], withInspect(String(port)));
    const { code, out, err } = await program.ended;
    taken.close();
    const url = await program.url;
    expect({ code, out }).toEqual({ code: 0, out: '10\n' });
    expect(err).toContain(`Port ${port} is taken`);
    expect(new URL(url).port).not.toBe(String(port));
  });

  test.each(['x', '70000', 'a:b', '::1:9', '127.0.0.1', 'SECRET:1:2'])(
    'is ignored with a warning when it is %s',
    async (text) => {
      const program = start('asked.cjs', [], withInspect(text));
      const { code, out, err } = await program.ended;
      expect({ code, out }).toEqual({ code: 0, out: '10\n' });
      expect(err).toContain('SLOPPY_W_INSPECTOR');
      expect(err).toContain('host:port');
      expect(err).not.toContain('SECRET');
      expect(err).not.toContain('listening');
    },
  );
});

describe('sloppy-workers', () => {
  const INPUT = JSON.stringify({ n: N_OF_CRUNCH });

  test.each([
    ['run', [`${MODULE}#crunch`, '--input', INPUT], ''],
    ['map', [`${MODULE}#crunch`, '-w', '1', '-q'], `${INPUT}\n${INPUT}\n`],
  ])(
    '%s --inspect-brk stops where the function begins',
    async (name, args, stdin) => {
      const program = start(CLI, [name, '--inspect-brk=0', ...args]);
      program.child.stdin.end(stdin);
      const worker = await workerOf(program, true);
      await worker.post('Runtime.enable');
      await worker.post('Debugger.enable');
      await worker.post('Runtime.runIfWaitingForDebugger');
      const { callFrames } = await worker.next('Debugger.paused');
      const [frame] = callFrames;
      expect(frame.functionName).toBe('crunch');
      // Its parameters are there before its first statement.
      const { result } = await worker.post('Debugger.evaluateOnCallFrame', {
        callFrameId: frame.callFrameId,
        expression: 'JSON.stringify(arguments[0])',
      });
      expect(result.value).toBe(INPUT);
      await worker.post('Debugger.resume');
      const { code, out } = await program.ended;
      expect(code).toBe(0);
      expect(out.trim().split('\n')).toEqual(
        name === 'run' ? ['10'] : ['10', '10'],
      );
    },
  );

  test('run --inspect does not wait', async () => {
    const args = ['run', '--inspect=0', `${MODULE}#crunch`, '--input', INPUT];
    const program = start(CLI, args);
    await program.url;
    const { code, out } = await program.ended;
    expect({ code, out }).toEqual({ code: 0, out: '10\n' });
  });

  test('ends on Ctrl-C while it waits for a debugger', async () => {
    const args = ['run', '--inspect-brk=0', `${MODULE}#crunch`];
    const program = start(CLI, args);
    await program.url;
    program.child.kill('SIGINT');
    expect((await program.ended).code).toBe(130);
  });

  test.each([
    [['--inspect=x'], 'a port from 0 to 65535'],
    [['--inspect=0', '--inspect-brk=0'], 'exclude each other'],
  ])('refuses %j', (args, text) => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [
        path.join(__dirname, 'fixtures', CLI),
        'run',
        `${MODULE}#crunch`,
        ...args,
      ],
      { encoding: 'utf8' },
    );
    expect(status).toBe(2);
    expect(stderr).toContain(text);
  });
});
