'use strict';

const { createBareContext } = require('./bare-context.js');

const run = (source) => {
  const bare = createBareContext();
  const value = bare.run(`(() => { ${source} })()`);
  return Array.isArray(value) || Symbol.iterator in Object(value)
    ? [...value]
    : value;
};

describe('Event and EventTarget', () => {
  test('listeners run in order, each callback once', () => {
    expect(
      run(`
        const t = new EventTarget(), log = [];
        const f = () => log.push('f');
        t.addEventListener('x', f); t.addEventListener('x', f);
        t.addEventListener('x', { handleEvent(e) { log.push(e.type, this !== t); } });
        t.addEventListener('x', () => log.push('once'), { once: true });
        t.dispatchEvent(new Event('x')); t.dispatchEvent(new Event('x'));
        t.removeEventListener('x', f); t.dispatchEvent(new Event('x'));
        return log;`),
    ).toEqual(['f', 'x', true, 'once', 'f', 'x', true, 'x', true]);
  });

  test('cancelling, stopping and the attributes of an event', () => {
    expect(
      run(`
        const t = new EventTarget();
        t.addEventListener('x', (e) => { e.preventDefault(); e.stopImmediatePropagation(); });
        t.addEventListener('x', () => { throw new Error('not reached'); });
        const e = new Event('x', { cancelable: true, bubbles: true });
        const before = [e.target, e.eventPhase, e.isTrusted, e.defaultPrevented];
        const result = t.dispatchEvent(e);
        return [...before, result, e.defaultPrevented, e.target === t, e.bubbles,
          e.composedPath().length, t.dispatchEvent(new Event('x'))];`),
    ).toEqual([null, 0, false, false, false, true, true, true, 0, true]);
  });

  test('an exception of a listener is reported and stops nothing', async () => {
    const bare = createBareContext();
    bare.run(`
      const t = new EventTarget(); globalThis.after = 0;
      t.addEventListener('x', () => { throw new RangeError('r'); });
      t.addEventListener('x', () => { after = 1; });
      t.dispatchEvent(new Event('x'));`);
    expect(bare.context.after).toBe(1);
    await bare.loop.advance(0);
    expect(bare.reported.map((error) => error.name)).toEqual(['RangeError']);
  });

  test('a signal removes its listener', () => {
    expect(
      run(`
        const t = new EventTarget(), c = new AbortController(); let n = 0;
        t.addEventListener('x', () => n++, { signal: c.signal });
        t.dispatchEvent(new Event('x')); c.abort(); t.dispatchEvent(new Event('x'));
        return n;`),
    ).toBe(1);
  });

  test('wrong use is refused', () => {
    const bare = createBareContext();
    expect(() => bare.run(`new Event()`)).toThrow(/required|type/i);
    const thrown = bare.run(`
      const t = new EventTarget(), e = new Event('x'); let name;
      t.addEventListener('x', () => { try { t.dispatchEvent(e); } catch (x) { name = x.name; } });
      t.dispatchEvent(e); name`);
    expect(thrown).toBe('Error');
  });

  test('CustomEvent, ErrorEvent and MessageEvent', () => {
    expect(
      run(`
        const c = new CustomEvent('c', { detail: { a: 1 } });
        const e = new ErrorEvent('error', { message: 'm', error: 5, lineno: 3 });
        const m = new MessageEvent('message', { data: 'd' });
        return [c.detail.a, new CustomEvent('c').detail, e.message, e.error, e.lineno,
          e.filename, m.data, m.origin, c instanceof Event, String(c)];`),
    ).toEqual([1, null, 'm', 5, 3, '', 'd', '', true, '[object CustomEvent]']);
  });
});

describe('AbortController and AbortSignal', () => {
  test('abort happens once, with its first reason', () => {
    expect(
      run(`
        const c = new AbortController(), log = [];
        c.signal.onabort = (e) => log.push('on', e.type, e.target === c.signal);
        c.signal.addEventListener('abort', () => log.push('listener'));
        c.abort('why'); c.abort('later');
        log.push(c.signal.aborted, c.signal.reason);
        try { c.signal.throwIfAborted(); } catch (e) { log.push(e); }
        return log;`),
    ).toEqual(['on', 'abort', true, 'listener', true, 'why', 'why']);
  });

  test('the default reason is an AbortError', () => {
    expect(
      run(`
        const r = AbortSignal.abort().reason;
        return [r instanceof DOMException, r instanceof Error, r.name, r.code,
          AbortSignal.abort(null).reason];`),
    ).toEqual([true, true, 'AbortError', 20, null]);
  });

  test('timeout aborts with a TimeoutError; a job that waits goes on', async () => {
    const refs = [];
    const bare = createBareContext({
      overrides: { refTimer: (_id, ref) => refs.push(ref) },
    });
    bare.run(`globalThis.s = AbortSignal.timeout(10)`);
    await bare.loop.advance(9);
    expect(bare.run(`s.aborted`)).toBe(false);
    await bare.loop.advance(1);
    expect(bare.run(`s.reason.name`)).toBe('TimeoutError');
    expect(refs).toEqual([]);
    expect(() => bare.run(`AbortSignal.timeout(-1)`)).toThrow(/range/);
  });

  test('any follows its sources, through other composites too', () => {
    expect(
      run(`
        const a = new AbortController(), b = new AbortController(), log = [];
        const one = AbortSignal.any([a.signal, b.signal]);
        const two = AbortSignal.any([one]);
        const none = AbortSignal.any([]);
        a.signal.addEventListener("abort", () => log.push("a"));
        one.addEventListener('abort', () => log.push('one'));
        two.onabort = () => log.push('two');
        a.abort(1); b.abort(2);
        const done = AbortSignal.any([b.signal, a.signal]);
        return [...log, one.reason, two.reason, done.aborted, done.reason, none.aborted];`),
    ).toEqual(['a', 'one', 'two', 1, 1, true, 2, false]);
  });

  test('constructing a signal or joining a non-signal is refused', () => {
    const bare = createBareContext();
    expect(() => bare.run(`new AbortSignal()`)).toThrow('Illegal constructor');
    expect(() => bare.run(`AbortSignal.any([{}])`)).toThrow(/AbortSignal/);
  });
});

describe('DOMException', () => {
  test('name, message, code, cause and stack', () => {
    expect(
      run(`
        const e = new DOMException('m', 'DataCloneError');
        const f = new DOMException('m', { name: 'X', cause: 7 });
        const g = new DOMException();
        return [e.name, e.message, e.code, String(e), e instanceof Error,
          f.name, f.code, f.cause, 'cause' in e, g.name, g.message,
          DOMException.ABORT_ERR, e.TIMEOUT_ERR, e.stack.includes('user.js'),
          Object.prototype.toString.call(e)];`),
    ).toEqual([
      'DataCloneError',
      'm',
      25,
      'DataCloneError: m',
      true,
      'X',
      0,
      7,
      false,
      'Error',
      '',
      20,
      23,
      true,
      '[object DOMException]',
    ]);
  });
});

describe('MessageChannel', () => {
  test('hands over clones, in order', async () => {
    const bare = createBareContext();
    bare.context.log = [];
    bare.run(`
      const { port1, port2 } = new MessageChannel();
      const sent = { a: [1] };
      port1.postMessage(sent); port1.postMessage('second');
      sent.a.push(2);
      port2.onmessage = ({ data }) => log.push(data);
      log.push('sync');`);
    await bare.loop.advance();
    expect(bare.context.log[0]).toBe('sync');
    expect(JSON.stringify(bare.context.log.slice(1))).toBe(
      '[{"a":[1]},"second"]',
    );
  });
});
