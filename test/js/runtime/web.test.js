'use strict';

const zlib = require('node:zlib');

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const run = (source) => bare.run(`(() => { ${source} })()`);
// The loop turns until it is done, because zlib answers in later turns.
async function wait(source) {
  const result = bare.run(`(async () => { ${source} })()`);
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  result.then(done, done);
  while (!isDone) await bare.loop.advance(1);
  return result;
}

describe('Blob and File', () => {
  test('joins parts, slices and reads', async () => {
    const result = await wait(`
      const u = new Uint8Array([98, 99]);
      const b = new Blob(['a', u, u.buffer, new Blob(['d']), 5], { type: 'Text/X' });
      u[0] = 0;
      const pieces = [];
      for await (const piece of b.stream()) pieces.push(...piece);
      return [b.size, b.type, await b.text(), await b.slice(1, -1, 'q').text(), b.slice(1, 2).type,
        new Uint8Array(await b.arrayBuffer()).length, pieces.length, (await b.bytes())[1],
        await b.slice(-2).text(), b.slice(5, 2).size].join('|')`);
    expect(result).toBe('7|text/x|abcbcd5|bcbcd||7|7|98|d5|0');
  });

  test('what is read is a copy', async () => {
    const result = await wait(`
      const b = new Blob(['abc']);
      new Uint8Array(await b.arrayBuffer()).fill(0);
      (await b.bytes()).fill(0);
      for await (const piece of b.stream()) piece.fill(0);
      return b.text()`);
    expect(result).toBe('abc');
  });

  test('the arguments are checked', () => {
    const bad = (source) =>
      run(`try { ${source}; } catch (e) { return e.name; }`);
    expect(bad(`new Blob('text')`)).toBe('TypeError');
    expect(bad(`new Blob([], 5)`)).toBe('TypeError');
    expect(bad(`new Blob([], { endings: 'x' })`)).toBe('TypeError');
    expect(bad(`new File(['x'])`)).toBe('TypeError');
    expect(run(`return new Blob([], { type: '\\u00e4' }).type`)).toBe('');
    const file = run(`return new File(['x'], 'n', { lastModified: 4 })`);
    expect([file.name, file.lastModified, file.size]).toEqual(['n', 4, 1]);
  });
});

describe('streams', () => {
  test('pipe through a transform, tee, and iterate', async () => {
    const result = await wait(`
      const source = ReadableStream.from([1, 2, 3]);
      const double = new TransformStream({ transform(x, c) { c.enqueue(x * 2); } });
      const [one, two] = source.pipeThrough(double).tee();
      const out = [];
      for await (const x of one) out.push(x);
      const reader = two.getReader();
      for (;;) { const { done, value } = await reader.read(); if (done) break; out.push(value); }
      return out.join()`);
    expect(result).toBe('2,4,6,2,4,6');
  });

  test('errors, cancel and abort reach the other end', async () => {
    const result = await wait(`
      const log = [];
      const r = new ReadableStream({ cancel(x) { log.push('cancel ' + x); } });
      await r.cancel('why');
      const w = new WritableStream({ start(c) { c.signal.addEventListener('abort', () => log.push('signal')); }, abort(x) { log.push('abort ' + x); } });
      await w.abort('stop');
      const e = new ReadableStream({ start(c) { c.error(new RangeError('r')); } });
      await e.getReader().read().catch((x) => log.push(x.name));
      const a = new AbortController(); a.abort();
      await new ReadableStream().pipeTo(new WritableStream(), { signal: a.signal }).catch((x) => log.push(x.name));
      return log.join()`);
    expect(result).toBe('cancel why,signal,abort stop,RangeError,AbortError');
  });

  test('a byte stream fills the reader\u2019s own buffer', async () => {
    const result = await wait(`
      const s = new ReadableStream({ type: 'bytes', pull(c) { c.byobRequest.view[0] = 9; c.byobRequest.respond(1); } });
      const { value } = await s.getReader({ mode: 'byob' }).read(new Uint8Array(4));
      return [value.length, value[0], value.buffer.byteLength].join()`);
    expect(result).toBe('1,9,4');
  });

  test('text streams split anywhere', async () => {
    const result = await wait(`
      const bytes = [];
      const texts = ReadableStream.from(['a\\ud83d', '\\ude00', '\\ud800']);
      for await (const b of texts.pipeThrough(new TextEncoderStream())) bytes.push(...b);
      let text = '';
      const single = ReadableStream.from(bytes.map((b) => Uint8Array.of(b)));
      for await (const t of single.pipeThrough(new TextDecoderStream())) text += t;
      return text`);
    expect(result).toBe('a\u{1f600}\ufffd');
  });

  test.each([
    ['gzip', zlib.gunzipSync, zlib.gzipSync],
    ['deflate', zlib.inflateSync, zlib.deflateSync],
    ['deflate-raw', zlib.inflateRawSync, zlib.deflateRawSync],
  ])('%s both ways, understood by Node', async (format, unpack, pack) => {
    const packed = await wait(`
      const s = new Blob(['hello '.repeat(9999)]).stream().pipeThrough(new CompressionStream('${format}'));
      const out = []; for await (const p of s) out.push(...p); return out`);
    expect(unpack(Buffer.from(packed)).toString()).toBe('hello '.repeat(9999));
    bare.context.packed = pack('back again');
    const text = await wait(`
      const s = new Blob([packed]).stream().pipeThrough(new DecompressionStream('${format}')).pipeThrough(new TextDecoderStream());
      let out = ''; for await (const p of s) out += p; return out`);
    expect(text).toBe('back again');
  });

  test('truncated data is an error', async () => {
    const packed = zlib.gzipSync('x'.repeat(100)).subarray(0, 20);
    bare.context.packed = packed;
    const [name, code] = await wait(`
      try { for await (const _ of new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))); }
      catch (e) { return [e.name, e.code]; }`);
    const unpacked = new Blob([packed])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    await expect(new Response(unpacked).text()).rejects.toMatchObject({
      name,
      code,
    });
  });
});

describe('crypto', () => {
  test('random values come from the host', () => {
    const fixed = createBareContext({
      overrides: { randomFill: (u) => u.fill(255) },
    });
    expect(fixed.run(`crypto.randomUUID()`)).toBe(
      'ffffffff-ffff-4fff-bfff-ffffffffffff',
    );
    expect([
      ...fixed.run(`crypto.getRandomValues(new Uint16Array(2))`),
    ]).toEqual([65535, 65535]);
    const name = (source) =>
      fixed.run(
        `try { crypto.getRandomValues(${source}) } catch (e) { e.name }`,
      );
    expect(name('new Float32Array(1)')).toBe('TypeMismatchError');
    const isNew = Number(process.versions.node.split('.')[0]) >= 25;
    expect(name('[]')).toBe(isNew ? 'TypeError' : 'TypeMismatchError');
    expect(name('new Uint8Array(65537)')).toBe('QuotaExceededError');
  });
});

describe('performance', () => {
  test('marks, measures and observers', async () => {
    const fresh = createBareContext();
    fresh.run(`
      globalThis.seen = [];
      new PerformanceObserver((list) => seen.push(...list.getEntries().map((e) => e.name))).observe({ entryTypes: ['measure'] });
      performance.mark('a', { detail: { x: 1 } });`);
    await fresh.loop.advance(20);
    const result = fresh.run(`
      performance.mark('b');
      const m = performance.measure('m', 'a', 'b');
      const n = performance.measure('n', { start: 5, duration: 3, detail: 'd' });
      [performance.now(), m.startTime, m.duration, n.startTime, n.duration, n.detail,
        performance.getEntriesByType('mark').length, performance.getEntriesByName('a')[0].detail.x,
        performance.timeOrigin, m instanceof PerformanceEntry].join()`);
    expect(result).toBe('20,0,20,5,3,d,2,1,1700000000000,true');
    await fresh.loop.advance(1);
    expect([...fresh.context.seen]).toEqual(['m', 'n']);
    expect(
      fresh.run(
        `try { performance.measure('x', 'none') } catch (e) { e.name }`,
      ),
    ).toBe('SyntaxError');
    expect(
      fresh.run(
        `performance.clearMarks('a'); performance.clearMeasures(); performance.getEntries().length`,
      ),
    ).toBe(1);
  });
});

describe('WebAssembly', () => {
  test('compiles and instantiates asynchronously', async () => {
    // (module (func (export "add") (param i32 i32) (result i32) ...))
    const result = await wait(`
      const bytes = new Uint8Array([0,97,115,109,1,0,0,0,1,7,1,96,2,127,127,1,127,3,2,1,0,7,7,1,3,97,100,100,0,0,10,9,1,7,0,32,0,32,1,106,11]);
      const { instance, module } = await WebAssembly.instantiate(bytes);
      const again = new WebAssembly.Instance(await WebAssembly.compile(bytes));
      return [instance.exports.add(2, 3), again.exports.add(4, 5), WebAssembly.Module.exports(module)[0].name].join()`);
    expect(result).toBe('5,9,add');
  });
});
