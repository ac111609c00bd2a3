'use strict';

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const run = (source) => bare.run(`(() => { ${source} })()`);
const errorOf = (source) =>
  run(`try { ${source} } catch (e) { return e.name + ' ' + (e.code ?? ''); }`);

describe('TextEncoder', () => {
  test('encodes UTF-8, a lone surrogate as U+FFFD', () => {
    const bytes = run(
      `return [...new TextEncoder().encode('a\\u00e4\\u20ac\\ud83d\\ude00\\ud800')]`,
    );
    expect([...bytes]).toEqual([
      ...Buffer.from('a\u00e4\u20ac\u{1f600}\ufffd'),
    ]);
    expect(run(`return new TextEncoder().encode().length`)).toBe(0);
    expect(
      run(
        `return new TextEncoder().encode(undefined).constructor === Uint8Array`,
      ),
    ).toBe(true);
  });

  test('encodeInto never splits a character', () => {
    const result = run(`
      const u = new Uint8Array(4);
      const r = new TextEncoder().encodeInto('a\\u20ac\\u20ac', u);
      return [r.read, r.written, ...u]`);
    expect([...result]).toEqual([2, 4, 0x61, 0xe2, 0x82, 0xac]);
    expect(errorOf(`new TextEncoder().encodeInto('a', [])`)).toBe(
      'TypeError ERR_INVALID_ARG_TYPE',
    );
  });
});

describe('TextDecoder', () => {
  test.each([
    ['utf8', 'utf-8'],
    [' UTF-8\\n', 'utf-8'],
    ['latin1', 'windows-1252'],
    ['sjis', 'shift_jis'],
    ['utf-16', 'utf-16le'],
  ])('label %s names %s', (label, name) => {
    expect(run(`return new TextDecoder('${label}').encoding`)).toBe(name);
  });

  test('unknown labels and "replacement" are refused', () => {
    expect(errorOf(`new TextDecoder('nope')`)).toBe(
      'RangeError ERR_ENCODING_NOT_SUPPORTED',
    );
    expect(errorOf(`new TextDecoder('replacement')`)).toMatch(/^RangeError/);
    expect(errorOf(`new TextDecoder('utf-8\\u00a0')`)).toMatch(/^RangeError/);
  });

  test('malformed bytes become U+FFFD, or an error when fatal', () => {
    expect(
      run(
        `return new TextDecoder().decode(new Uint8Array([0x61, 0xff, 0xe2, 0x82, 0x62]))`,
      ),
    ).toBe('a\ufffd\ufffdb');
    expect(
      errorOf(
        `new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff]))`,
      ),
    ).toBe('TypeError ERR_ENCODING_INVALID_ENCODED_DATA');
  });

  test('the byte order mark', () => {
    const bom = `new Uint8Array([0xef, 0xbb, 0xbf, 0x61])`;
    expect(run(`return new TextDecoder().decode(${bom})`)).toBe('a');
    expect(
      run(
        `return new TextDecoder('utf-8', { ignoreBOM: true }).decode(${bom})`,
      ),
    ).toBe('\ufeffa');
  });

  test('pieces may end anywhere', () => {
    const text = run(`
      const d = new TextDecoder();
      const bytes = new TextEncoder().encode('\\ufeffa\\u20ac\\ud83d\\ude00z');
      let out = '';
      for (const b of bytes) out += d.decode(Uint8Array.of(b), { stream: true });
      out += d.decode();
      return out + '|' + d.decode(Uint8Array.of(0x62))`);
    expect(text).toBe('a\u20ac\u{1f600}z|b');
    expect(
      run(
        `const d = new TextDecoder(); return d.decode(Uint8Array.of(0xe2), { stream: true }) + d.decode()`,
      ),
    ).toBe('\ufffd');
  });

  test('legacy encodings answer as Node does', () => {
    for (const label of [
      'windows-1251',
      'shift_jis',
      'gbk',
      'big5',
      'utf-16be',
      'iso-8859-2',
      'euc-jp',
      'gb18030',
    ]) {
      const bytes = [0x41, 0xb0, 0xa1, 0xc4, 0xe3, 0x20, 0x61];
      const ours = run(
        `return new TextDecoder('${label}').decode(new Uint8Array([${bytes}]))`,
      );
      const nodes = new TextDecoder(label).decode(new Uint8Array(bytes));
      expect([label, ours]).toEqual([label, nodes]);
    }
  });

  test('euc-kr is what ICU knows of it', () => {
    const bytes = [0x82, 0xa0, 0xb0, 0xa1];
    const read = `new TextDecoder('euc-kr').decode(Uint8Array.of(${bytes}))`;
    expect(run(`return ${read}`)).toBe(
      new TextDecoder('euc-kr').decode(Uint8Array.from(bytes)),
    );
  });

  test('takes buffers and views, nothing else', () => {
    expect(
      run(`
        const u = new TextEncoder().encode('abcd');
        return [new TextDecoder().decode(u.buffer), new TextDecoder().decode(new DataView(u.buffer, 1, 2)),
          new TextDecoder().decode(u.subarray(2)), new TextDecoder().decode()].join()`),
    ).toBe('abcd,bc,cd,');
    for (const bad of ['5', "'x'", '[1]', 'null']) {
      expect(errorOf(`new TextDecoder().decode(${bad})`)).toBe(
        'TypeError ERR_INVALID_ARG_TYPE',
      );
    }
  });
});

describe('atob and btoa', () => {
  test('round trip and padding', () => {
    for (const text of ['', 'a', 'ab', 'abc', '\u00ff\u0000x']) {
      const encoded = bare.api.load('node:buffer').btoa(text);
      expect(encoded).toBe(Buffer.from(text, 'latin1').toString('base64'));
      expect(bare.api.load('node:buffer').atob(encoded)).toBe(text);
    }
  });

  test('forgiving, but not of everything', () => {
    const { atob } = bare.api.load('node:buffer');
    expect(atob(' Y\tQ = =\n'.replaceAll(' = =', '=='))).toBe('a');
    expect(atob('YQ')).toBe('a');
    expect(atob('YR==')).toBe('a');
    for (const bad of ['Y', 'YQ=', 'Y===', 'YQ=a', '=', 'a-b_', '\u0100']) {
      const name = run(
        `try { atob(${JSON.stringify(bad)}); } catch (e) { return e.name; }`,
      );
      expect([bad, name]).toEqual([bad, 'InvalidCharacterError']);
    }
    expect(errorOf(`btoa('\\u0100')`)).toBe('InvalidCharacterError 5');
    expect(errorOf(`atob()`)).toBe('TypeError ERR_MISSING_ARGS');
    expect(run(`return atob(null)`)).toBe('\u009e\u00e9e');
  });

  test('a large text', () => {
    const { atob, btoa } = bare.api.load('node:buffer');
    const text = '\u0000\u00ffabc'.repeat(20_000);
    expect(atob(btoa(text))).toBe(text);
  });
});
