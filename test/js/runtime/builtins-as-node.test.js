'use strict';
// The modules of a worker compute what Node's own compute.

const nodePath = require('node:path');
const nodeQuerystring = require('node:querystring');
const nodeUrl = require('node:url');
const zlib = require('node:zlib');

const { createBareContext } = require('./bare-context.js');
const { api, bare, codeOf, run, wait } = require('./builtins-support.js');

describe('path, url, querystring, punycode', () => {
  test('path on both systems', () => {
    for (const system of ['posix', 'win32']) {
      const ours = api.builtin('path')[system];
      const node = nodePath[system];
      for (const call of [
        ['join', 'a', '..', 'b/./c', '/d'],
        ['resolve', '/x', '../y', 'z'],
        ['normalize', 'C:\\a\\..\\b//c'],
        ['relative', '/a/b/c', '/a/d'],
        ['parse', '/home/u/file.tar.gz'],
        ['format', { dir: '/x', name: 'n', ext: '.e' }],
        ['basename', 'a/b.js', '.js'],
        ['extname', '.x.y'],
        ['isAbsolute', 'C:/x'],
        ['dirname', '/a/b/'],
      ]) {
        const [method, ...args] = call;
        expect([call, ours[method](...args)]).toEqual([
          call,
          node[method](...args),
        ]);
      }
    }
    expect(() => api.builtin('path').join(5)).toThrow(/must be of type string/);
    expect(api.builtin('path').sep).toBe(nodePath.sep);
  });

  test('file URLs', () => {
    const url = api.builtin('url');
    for (const path of ['/a b/#?%.js', '/\u00e4/x', '/d/']) {
      expect(url.pathToFileURL(path).href).toBe(
        nodeUrl.pathToFileURL(path).href,
      );
      expect(url.fileURLToPath(url.pathToFileURL(path))).toBe(path);
    }
    expect(url.fileURLToPath('file:///C:/a%20b', { windows: true })).toBe(
      'C:\\a b',
    );
    expect(url.pathToFileURL('C:\\a b', { windows: true }).href).toBe(
      'file:///C:/a%20b',
    );
    expect(codeOf(() => url.fileURLToPath('http://x/'))).toBe(
      'ERR_INVALID_URL_SCHEME',
    );
    expect(codeOf(() => url.fileURLToPath('file:///a%2fb'))).toBe(
      'ERR_INVALID_FILE_URL_PATH',
    );
    expect(codeOf(() => url.fileURLToPath(5))).toBe('ERR_INVALID_ARG_TYPE');
  });

  test('the old URL functions', () => {
    const url = api.builtin('url');
    for (const text of [
      'http://u:p@h.com:80/p/a?q=1&r#h',
      '/only/path?x',
      'mailto:a@b.c',
    ]) {
      const ours = { ...url.parse(text) };
      const node = { ...nodeUrl.parse(text) };
      expect(ours).toEqual(node);
      expect(url.format(url.parse(text))).toBe(
        nodeUrl.format(nodeUrl.parse(text)),
      );
    }
    expect({ ...url.parse('/a?b=1&b=2', true).query }).toEqual({
      b: ['1', '2'],
    });
    expect(url.resolve('http://h/a/b', '../c')).toBe('http://h/c');
    expect(url.domainToASCII('\u00e4.com')).toBe('xn--4ca.com');
    expect(url.domainToUnicode('xn--4ca.com')).toBe('\u00e4.com');
  });

  test('querystring', () => {
    const ours = api.builtin('querystring');
    for (const text of [
      'a=1&a=2&b=%C3%A4+x',
      '&&a&=b&c=d=e',
      '%zz=%E4',
      'a%3D=1',
    ]) {
      expect({ ...ours.parse(text) }).toEqual({
        ...nodeQuerystring.parse(text),
      });
    }
    for (const value of [
      { a: [1, 'x y'], b: '\u00e4&', c: null, d: true },
      'text',
      { e: 5n, f: NaN },
    ]) {
      expect(ours.stringify(value)).toBe(nodeQuerystring.stringify(value));
    }
    expect(ours.parse('a:1;b:2', ';', ':').b).toBe('2');
    expect(api.builtin('punycode').toASCII('ma\u00f1ana.com')).toBe(
      'xn--maana-pta.com',
    );
  });
});

describe('util, assert and events', () => {
  test('util', async () => {
    expect(
      run(`
        const util = require('util');
        function A() {} function B() {} util.inherits(A, B);
        return [new A() instanceof B, A.super_ === B, util.format('%s-%d', 'a', 1),
          util.isDeepStrictEqual({ a: [1, new Map([[1, { b: 2 }]])] }, { a: [1, new Map([[1, { b: 2 }]])] }),
          util.isDeepStrictEqual({ a: 1 }, { a: '1' }), util.types.isDate(new Date()), util.types.isDate({}),
          util.types.isRegExp(RegExp.prototype), util.types.isMap(Object.create(Map.prototype)),
          util.types.isPromise(Promise.resolve()), util.types.isAsyncFunction(async () => {}),
          util.stripVTControlCharacters('\\u001b[31mx\\u001b[0m'), util.styleText('red', 'x').length,
          util.toUSVString('a\\ud800'), util.inspect({ a: 1 }),
          JSON.stringify(util.parseArgs({ args: ['-f', '--bar', 'b'], options: { f: { type: 'boolean', short: 'f' }, bar: { type: 'string' } } }).values)].join('|')`),
    ).toMatch(
      /^true\|true\|a-1\|true\|false\|true\|false\|false\|false\|true\|true\|x\|1\|a\ufffd\|\{ a: 1 \}\|\{"f":true,"bar":"b"\}$/,
    );
    const result = await wait(`
      const util = require('util');
      const p = util.promisify((a, cb) => cb(a < 0 ? new RangeError('n') : null, a * 2));
      const c = util.callbackify(async (x) => { if (x) throw null; return 'v'; });
      const called = await new Promise((ok) => c(0, (e, v) => ok([e, v])));
      const failed = await new Promise((ok) => c(1, (e) => ok(e.code)));
      return [await p(4), await p(-1).catch((e) => e.name), ...called, failed].join()`);
    expect(result).toBe('8,RangeError,,v,ERR_FALSY_VALUE_REJECTION');
  });

  test('deprecate warns once, on the error stream', async () => {
    const fresh = createBareContext();
    fresh.context.util = fresh.api.builtin('util');
    fresh.run(
      `const f = util.deprecate((x) => x + 1, 'old', 'DEP9'); f(1); globalThis.r = f(2);`,
    );
    expect(fresh.context.r).toBe(3);
    await new Promise(setImmediate);
    expect(fresh.text(2)).toBe(
      `(node:${process.pid}) [DEP9] DeprecationWarning: old\n`,
    );
  });

  test('assert', () => {
    expect(
      run(`
        const assert = require('assert'), out = [];
        const attempt = (f) => { try { f(); out.push('ok'); } catch (e) { out.push(e.code + ' ' + e.name); } };
        attempt(() => assert(1)); attempt(() => assert(0)); attempt(() => assert.equal(1, '1'));
        attempt(() => assert.strictEqual(1, '1')); attempt(() => assert.deepStrictEqual({ a: [1] }, { a: [1] }));
        attempt(() => assert.deepEqual(new Set([1]), new Set([2]))); attempt(() => assert.throws(() => { throw new TypeError('x'); }, TypeError));
        attempt(() => assert.throws(() => {})); attempt(() => assert.match('abc', /z/)); attempt(() => assert.strict.equal(1, 1));
        return out`),
    ).toEqual([
      'ok',
      'ERR_ASSERTION AssertionError',
      'ok',
      'ERR_ASSERTION AssertionError',
      'ok',
      'ERR_ASSERTION AssertionError',
      'ok',
      'ERR_ASSERTION AssertionError',
      'ERR_ASSERTION AssertionError',
      'ok',
    ]);
  });

  test('events', async () => {
    const result = await wait(`
      const EventEmitter = require('events'), { once, on, errorMonitor } = EventEmitter;
      const e = new EventEmitter(), log = [];
      class Sub extends EventEmitter {}
      e.on(errorMonitor, (x) => log.push('monitor ' + x.message));
      try { e.emit('error', new Error('boom')); } catch (x) { log.push('thrown ' + x.message); }
      setImmediate(() => e.emit('a', 1, 2));
      log.push(await once(e, 'a'));
      setImmediate(() => { e.on('error', () => {}); e.emit('error', new Error('late')); });
      await once(e, 'never').catch((x) => log.push(x.message));
      const c = new AbortController(); setImmediate(() => c.abort());
      await once(e, 'never', { signal: c.signal }).catch((x) => log.push(x.name));
      setImmediate(() => { e.emit('b', 1); e.emit('b', 2); });
      for await (const [x] of on(e, 'b')) { log.push(x); if (x === 2) break; }
      const t = new EventTarget(); setImmediate(() => t.dispatchEvent(new Event('z')));
      log.push((await once(t, 'z'))[0].type, new Sub() instanceof EventEmitter, e.listenerCount('b'), e.listenerCount('error'));
      return log.join('|')`);
    expect(result).toBe(
      'monitor boom|thrown boom|1,2|monitor late|late|AbortError|1|2|z|true|0|1',
    );
  });
});

describe('buffer, zlib and stream', () => {
  test('Buffer in every encoding', () => {
    const text = 'h\u00e4llo \u20ac \u{1f600} and a long tail to be native';
    for (const encoding of [
      'utf8',
      'utf-8',
      'hex',
      'base64',
      'base64url',
      'latin1',
      'ascii',
      'utf16le',
    ]) {
      const node = Buffer.from(text).toString(encoding);
      bare.context.text = text;
      expect([
        encoding,
        run(`return Buffer.from(text).toString('${encoding}')`),
      ]).toEqual([encoding, node]);
      bare.context.encoded = node;
      const back = run(
        `return Buffer.from(encoded, '${encoding}').toString('hex')`,
      );
      expect([encoding, back]).toEqual([
        encoding,
        Buffer.from(node, encoding).toString('hex'),
      ]);
      expect(run(`return Buffer.byteLength(encoded, '${encoding}')`)).toBe(
        Buffer.byteLength(node, encoding),
      );
    }
    expect(
      run(`
        const b = Buffer.alloc(8); b.writeUInt32BE(0xdeadbeef, 0); b.writeInt16LE(-2, 4);
        return [b.readUInt32BE(0), b.readInt16LE(4), b.toString('hex'), b.toString('utf8', 2, 1), Buffer.isBuffer(b), b instanceof Uint8Array,
          Buffer.concat([Buffer.from([1]), Buffer.from([2, 3])]).toJSON().data, Buffer.compare(Buffer.from('a'), Buffer.from('b')),
          Buffer.from('abc').subarray(1).toString(), Buffer.from('abcabc').indexOf('ca'), Buffer.isEncoding('base64url'),
          Buffer.from('\\ufeffx'.repeat(20)).toString().length].join('|')`),
    ).toBe('3735928559|-2|deadbeeffeff0000||true|true|1,2,3|-1|bc|2|true|40');
  });

  test('string_decoder', () => {
    expect(
      run(`
        const { StringDecoder } = require('string_decoder'); const d = new StringDecoder('utf8');
        return d.write(Buffer.from([0xe2, 0x82])) + d.write(Buffer.from([0xac])) + d.end()`),
    ).toBe('\u20ac');
  });

  test('zlib with Node, as functions and as streams', async () => {
    bare.context.packed = zlib.gzipSync(
      Buffer.concat([Buffer.from('one '), Buffer.alloc(70_000, 'x')]),
    );
    expect(run(`return require('zlib').unzipSync(packed).length`)).toBe(70_004);
    const ours = run(
      `return require('zlib').deflateSync('x'.repeat(999), { level: 9 })`,
    );
    expect(zlib.inflateSync(Buffer.from(ours)).toString()).toBe(
      'x'.repeat(999),
    );
    expect(
      codeOf(() => run(`require('zlib').inflateSync(Buffer.from('garbage'))`)),
    ).toBe('Z_DATA_ERROR');
    expect(
      codeOf(() =>
        run(`require('zlib').gunzipSync(packed, { maxOutputLength: 100 })`),
      ),
    ).toBe('ERR_BUFFER_TOO_LARGE');
    expect(
      codeOf(() => run(`require('zlib').gunzipSync(packed.subarray(0, 30))`)),
    ).toBe('Z_BUF_ERROR');
    expect(run(`return require('zlib').crc32('hello')`)).toBe(0x3610a686);
    const result = await wait(`
      const { createGzip, createGunzip, gunzip } = require('zlib');
      const { Readable } = require('stream'); const { pipeline } = require('stream/promises');
      const { text } = require('stream/consumers');
      const unpacked = Readable.from([Buffer.from('a'), Buffer.from('b')]).pipe(createGzip()).pipe(createGunzip());
      const viaCallback = await new Promise((ok) => gunzip(packed, (e, b) => ok(b.length)));
      const bad = createGunzip(); const failure = new Promise((ok) => bad.on('error', (e) => ok(e.code))); bad.end(Buffer.from('nope'));
      return [await text(unpacked), viaCallback, await failure].join()`);
    expect(result).toBe('ab,70004,Z_DATA_ERROR');
  });

  test('streams pipe, transform and fail as in Node', async () => {
    const result = await wait(`
      const { Readable, Transform, Writable, pipeline, finished } = require('stream');
      const out = [];
      const up = new Transform({ transform(chunk, _, done) { done(null, String(chunk).toUpperCase()); } });
      await require('stream/promises').pipeline(Readable.from(['a', 'b']), up, new Writable({ write(c, _, done) { out.push(String(c)); done(); } }));
      const error = await new Promise((ok) => pipeline(new Readable({ read() { this.destroy(new RangeError('r')); } }), new Writable({ write() {} }), ok));
      out.push(error.name);
      for await (const x of Readable.from([1, 2]).map((x) => x + 1)) out.push(x);
      return out.join()`);
    expect(result).toBe('A,B,RangeError,2,3');
  });
});
