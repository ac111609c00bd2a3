'use strict';
// One debugger has the isolates, and the program that has opened the endpoint.

const {
  connect,
  debugged,
  isOfProgram,
  placeOf,
  targetsOf,
  workersOf,
} = require('./support.js');

const HELLO = 'main thread';

let program;
let root;
afterEach(() => {
  root?.close();
  program?.kill();
  root = program = undefined;
});

async function attach(how) {
  program = debugged('program.cjs', [how], []);
  root = await connect(await program.url);
  // Isolates wait for the debugger as threads do.
  const letGo = (session) => session.post('Runtime.runIfWaitingForDebugger');
  workersOf(root, letGo);
}

/**
 * Resolves once the domain has answered: threads that start later wait.
 *
 * @returns {Promise<{ found: Promise<object> }>} the session of the first
 *   thread with this title
 */
async function seek(title, find = workersOf) {
  const found = new Promise((resolve) => {
    const look = (session, info) => {
      if (info.title.includes(title)) resolve(session);
    };
    find(root, look, isOfProgram);
  });
  if (find === targetsOf) {
    await root.post('Target.setAutoAttach', {
      autoAttach: true,
      flatten: true,
    });
  } else await root.post('NodeWorker.enable', { waitForDebuggerOnStart: true });
  return { found };
}

const named = async (title, find) => (await seek(title, find)).found;

async function stopAt(session, mark) {
  const { url, line } = placeOf('program.cjs', mark);
  await session.post('Runtime.enable');
  await session.post('Debugger.enable');
  await session.post('Debugger.setBreakpointByUrl', { url, lineNumber: line });
}

/** @returns {Promise<(text: string) => Promise<unknown>>} evaluates there */
async function pausedIn(session, name) {
  let pause = await session.next('Debugger.paused');
  // Node stops a thread's first line as well, now and then.
  while (!pause.hitBreakpoints?.length) {
    await session.post('Debugger.resume');
    pause = await session.next('Debugger.paused');
  }
  const [frame] = pause.callFrames;
  expect(frame.functionName).toBe(name);
  return async (expression) => {
    const { result } = await session.post('Debugger.evaluateOnCallFrame', {
      callFrameId: frame.callFrameId,
      expression,
    });
    return result.value;
  };
}

const go = () => program.child.stdin.write('go\n');

describe('the main thread', () => {
  test.each([
    ['NodeWorker', workersOf],
    ['Target', targetsOf],
  ])('stops, by the domain %s, and so do limits', async (_domain, find) => {
    await attach('main');
    const main = await named(HELLO, find);
    await stopAt(main, 'main');
    go();
    const evaluate = await pausedIn(main, 'here');
    expect(await evaluate('doubled + n')).toBe(63);
    expect(await evaluate('isHeld()')).toBe(true);
    await main.post('Debugger.resume');
    const { code, out, err } = await program.ended;
    expect({ code, out }).toEqual({ code: 0, out: '42\n2\n' });
    expect(err).not.toContain('Waiting for the debugger');
  });

  test('goes on when the debugger vanishes, and so do limits', async () => {
    await attach('main');
    const main = await named(HELLO);
    await stopAt(main, 'main');
    go();
    await pausedIn(main, 'here');
    root.close();
    const { code, out } = await program.ended;
    expect({ code, out }).toEqual({ code: 0, out: '42\n2\n' });
  });

  test('goes on when the debugger lets it go', async () => {
    await attach('main');
    const main = await named(HELLO);
    await stopAt(main, 'main');
    go();
    await pausedIn(main, 'here');
    await root.post('NodeWorker.detach', { sessionId: 'main-thread' });
    expect((await program.ended).code).toBe(0);
  });

  test('ends the process as if nobody were there', async () => {
    await attach('exits');
    const main = await named(HELLO);
    await main.post('Debugger.enable');
    go();
    const { code, out, err } = await program.ended;
    expect({ code, out }).toEqual({ code: 3, out: '42\n' });
    expect(err).not.toContain('Waiting for the debugger');
  });

  test('says what it does not know', async () => {
    await attach('main');
    const main = await named(HELLO);
    await expect(main.post('No.such')).rejects.toThrow('No.such');
    expect(await main.post('Target.setDiscoverTargets')).toEqual({});
  });

  test.each([
    ['NodeWorker.enable', workersOf],
    ['Target.setAutoAttach', targetsOf],
  ])('is shown before %s is answered', async (method, find) => {
    await attach('main');
    const seen = [];
    find(root, (_session, { title }) => seen.push(title), isOfProgram);
    await root.post(method, { autoAttach: true, flatten: true });
    expect(seen).toEqual([expect.stringContaining(HELLO)]);
  });

  test('is not shown by an endpoint of another thread', async () => {
    await attach('inside');
    const seen = [];
    const see = (_session, { title }) => seen.push(title);
    workersOf(root, see, isOfProgram);
    await root.post('NodeWorker.enable');
    await root.post('Runtime.enable');
    expect(seen).toEqual([]);
    go();
    expect((await program.ended).code).toBe(0);
  });
});

test('a thread that starts later waits, and stops', async () => {
  await attach('threads');
  const { found } = await seek('[worker');
  go();
  const session = await found;
  await stopAt(session, 'thread');
  await session.post('Runtime.runIfWaitingForDebugger');
  const evaluate = await pausedIn(session, 'there');
  expect(await evaluate('tripled')).toBe(21);
  await session.post('Debugger.resume');
  const { code, out } = await program.ended;
  expect(code).toBe(0);
  // Threads print through the main thread.
  expect(out.trim().split('\n').sort()).toEqual(['2', '21', '42']);
});
