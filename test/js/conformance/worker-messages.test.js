'use strict';
// Messages of a `Worker`: `post` and `onMessage`, and its end, in all runtimes.

const { writeFileSync } = require('node:fs');
const { pathToFileURL } = require('node:url');
const { Code } = require('../../../lib/protocol/diagnostics.gen.js');
const {
  moduleFile,
  outcomes,
  rejection,
  startWorker,
  stopAll,
} = require('./support.js');
const { STALE, basics } = require('./worker-basics.js');

afterEach(stopAll);

describe('post', () => {
  test('calls onMessage', async () => {
    const worker = await startWorker(basics);
    expect(await worker.post({ id: 1 })).toEqual({ got: { id: 1 } });
    expect(await worker.post()).toEqual({ got: null });
    expect((await rejection(worker.post(1, { timeoutMs: 0 }))).code).toBe(
      Code.JobTimeout,
    );
  });

  test('fails without one', async () => {
    const worker = await startWorker('export const f = () => 1;');
    expect((await rejection(worker.post(1))).message).toBe(
      'SLOPPY_E_WORKER_CRASHED: worker export is not callable',
    );
  });
});

describe('onMessage', () => {
  const talker = `
    export function talk(n) { for (let i = 0; i < n; i += 1) postMessage({ i }); return 'done'; }
    export function emit(value, ctx) { ctx.emit(value); return 'emitted'; }
  `;

  test('receives in order, until it is unsubscribed', async () => {
    const worker = await startWorker(talker);
    const seen = [];
    const off = worker.onMessage(({ i }) => seen.push(i));
    const both = [];
    worker.onMessage((value) => both.push(value));
    await worker.invoke('talk', 3);
    expect(seen).toEqual([0, 1, 2]);
    expect(off()).toBeUndefined();
    expect(off()).toBeUndefined();
    await worker.invoke('talk', 1);
    expect(seen).toHaveLength(3);
    expect(both).toHaveLength(4);
  });

  test('the same callback may be added twice', async () => {
    const worker = await startWorker(talker);
    let calls = 0;
    const callback = () => {
      calls += 1;
    };
    const off = worker.onMessage(callback);
    worker.onMessage(callback);
    await worker.invoke('talk', 1);
    expect(calls).toBe(2);
    off();
    await worker.invoke('talk', 1);
    expect(calls).toBe(3);
  });

  test.each([undefined, null, 'x', {}])('%p is no callback', async (value) => {
    const worker = await startWorker(talker);
    expect(() => worker.onMessage(value)).toThrow(
      new TypeError('Worker.onMessage requires a callback.'),
    );
  });

  test("a call's own emissions go to its onMessage", async () => {
    const worker = await startWorker(talker);
    const own = [];
    await worker.invoke('emit', 5, { onMessage: (value) => own.push(value) });
    expect(own).toEqual([5]);
  });

  test('receives what calls without one of their own emit', async () => {
    const worker = await startWorker(`${talker}
      export function mix(n, ctx) {
        for (let i = 0; i < n; i += 2) { ctx.emit(i); postMessage(i + 1); }
      }
    `);
    const seen = [];
    worker.onMessage((value) => seen.push(value));
    await worker.invoke('mix', 6);
    expect(seen).toEqual([0, 1, 2, 3, 4, 5]);
    await worker.invoke('emit', 'own', { onMessage: () => {} });
    expect(seen).toHaveLength(6);
  });

  test('one that throws is a warning, once, without its text', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    const worker = await startWorker(talker);
    const seen = [];
    worker.onMessage((value) => {
      throw new Error(value.secret ?? 'secret');
    });
    worker.onMessage((value) => seen.push(value));
    await worker.invoke('talk', 3);
    const onMessage = () => {
      throw null;
    };
    expect(await worker.invoke('emit', 1, { onMessage })).toBe('emitted');
    const { calls } = warn.mock;
    warn.mockRestore();
    expect(seen).toHaveLength(3);
    const options = {
      type: 'SloppyWorkersWarning',
      code: 'SLOPPY_W_LISTENER_THREW',
    };
    const text = 'a listener has thrown';
    expect(calls).toEqual([
      [text, { ...options, detail: expect.stringMatching(/^ +at .*test\.js/) }],
      [text, { ...options, detail: undefined }],
    ]);
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  test('nothing is delivered after stop', async () => {
    const worker = await startWorker(talker);
    let calls = 0;
    worker.onMessage(() => {
      calls += 1;
    });
    await worker.stop();
    expect(calls).toBe(0);
  });
});

describe('stop', () => {
  test('is idempotent; the handle is stale at once', async () => {
    const worker = await startWorker(basics);
    const call = worker.invoke('count');
    const stopped = worker.stop();
    for (const promise of [worker.invoke('count'), worker.post(1)]) {
      expect((await rejection(promise)).message).toBe(STALE);
    }
    expect(() => worker.onMessage(() => {})).toThrow(STALE);
    expect(await call).toBe(1);
    expect(await stopped).toEqual({ cancelled: 0, forced: 0 });
    await Promise.all([worker.stop(), worker.stop({ drain: false })]);
    // Stale comes before any look at the argument.
    expect(() => worker.onMessage('x')).toThrow(STALE);
  });

  test('drains calls in order', async () => {
    const worker = await startWorker(basics);
    const calls = Array.from({ length: 5 }, () => worker.invoke('count'));
    await worker.stop();
    expect(await Promise.all(calls)).toEqual([1, 2, 3, 4, 5]);
  });

  test('without drain the first call goes on', async () => {
    // Ends when there is such a module.
    const worker = await startWorker(`
      export async function waitFor(url) {
        for (let n = 0; ; n += 1) {
          const found = await import(url + '?' + n).catch(() => null);
          if (found !== null) return 'there';
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }`);
    const path = moduleFile('', 'here.mjs').replace('here', 'awaited');
    const url = pathToFileURL(path).href;
    const calls = [
      worker.invoke('waitFor', url),
      worker.invoke('waitFor', url),
    ];
    const settled = outcomes(calls);
    const stopped = worker.stop({ drain: false });
    writeFileSync(path, '');
    expect(await calls[0]).toBe('there');
    expect(await settled).toEqual(['resolved', Code.ShutdownCancelled]);
    expect(await stopped).toEqual({ cancelled: 1, forced: 0 });
  });

  test('without drain rejects queued calls', async () => {
    const worker = await startWorker(basics);
    const spinning = worker.invoke('spin');
    const queued = worker.invoke('count');
    const settled = outcomes([spinning, queued]);
    expect(await worker.stop({ drain: false, timeoutMs: 20 })).toMatchObject({
      forced: expect.any(Number),
    });
    expect(await settled).toEqual([
      Code.ShutdownCancelled,
      Code.ShutdownCancelled,
    ]);
  });

  test('forces a stuck worker down', async () => {
    const worker = await startWorker(basics);
    const stuck = new Promise((resolve) => worker.onMessage(resolve));
    const settled = outcomes([worker.invoke('stick')]);
    await stuck;
    expect(await worker.stop({ timeoutMs: 1 })).toEqual({
      cancelled: 0,
      forced: 1,
    });
    expect(await settled).toEqual([Code.ShutdownCancelled]);
  });

  test('await using', async () => {
    const worker = await startWorker(basics);
    await worker[Symbol.asyncDispose]();
    expect((await rejection(worker.invoke('count'))).message).toBe(STALE);
  });
});
