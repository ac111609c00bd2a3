'use strict';
// A function that reads a text by its characters says the same as the regular
// expression that it stands for.

const fc = require('fast-check');

const scan = require('../../../lib/base/scan.js');
const { someWord } = require('../../../lib/base/words.js');
const { isClosed } = require('../../../lib/entries/closed-function.js');
const { withHelpers } = require('../../../lib/entries/compiler-helpers.js');
const { functionSource } = require('../../../lib/entries/function-source.js');
const { parseAddress } = require('../../../lib/inspector/address.js');
const { reachOf } = require('../../../lib/entries/function-analysis.js');
const { readInterval } = require('../../../lib/signals/time-arguments.js');

const { Reach } = require('../../../lib/protocol/wire.gen.js');

const textOf = (parts) =>
  fc
    .array(fc.constantFrom(...parts), { maxLength: 14 })
    .map((all) => all.join(''));
const holds = (parts, check) =>
  fc.assert(fc.property(textOf(parts), check), { numRuns: 1000 });

test('classes of characters', () => {
  const scans = [scan.isWord, scan.isSpace, scan.isDigit, scan.isLetter];
  const known = [/\w/, /\s/, /\d/, /[a-z]/i];
  const wrong = [];
  for (let code = 0; code < 0x10000; code += 1) {
    const each = String.fromCharCode(code);
    for (const [at, fits] of scans.entries()) {
      if (fits(code) !== known[at].test(each)) wrong.push([code, fits.name]);
    }
  }
  expect(wrong).toEqual([]);
});

test('schemes, dotted paths, suffixes', () => {
  holds(
    ['a', 'Z', '1', '+', '-', '.', ':', '/', '\\', 'ж', '?', '#'],
    (text) => {
      expect(scan.hasScheme(text)).toBe(/^[a-z][a-z\d+.-]+:/i.test(text));
      expect(scan.isDotted(text)).toBe(/^\.\.?(?:[\\/]|$)/.test(text));
      expect(text.slice(scan.suffixAt(text))).toBe(/([?#].*)?$/s.exec(text)[0]);
    },
  );
});

test('words', () => {
  holds(['a', 'b_', '9', ' ', '.', '-', 'ж', '\n'], (text) => {
    const found = [];
    someWord(text, (word, at) => {
      found.push([word, at]);
      return false;
    });
    expect(found).toEqual(
      [...text.matchAll(/\w+/g)].map((one) => [one[0], one.index]),
    );
    expect(scan.hasWord(text, 'a')).toBe(/\ba/.test(text));
  });
});

test('helpers of compilers', () => {
  const called = /(?<![\w$.])(?:__[a-zA-Z]+|cov_[a-z0-9]+)(?=\()/g;
  const parts = ['__name', '__rest', 'cov_1a', 'cov_', '__', '$', '.', ' '];
  holds([...parts, '(', '((', 'a', 'Z'], (text) => {
    const expected = new Set();
    for (const [name] of text.matchAll(called)) {
      if (/^cov_|^__(name|rest)$/.test(name)) expected.add(name);
    }
    const result = withHelpers(text) ?? '';
    const names = [...result.matchAll(/\nfunction (\w+)\(/g)].map(
      ([, name]) => name,
    );
    expect(names.sort()).toEqual([...expected].sort());
  });
});

test('closed functions', () => {
  const head =
    /^\((?:async\s*)?(?:function\b[\w\s]*)?\(\s*(?:\{\s*input\s*,?\s*\}\s*,?\s*)?\)\s*(?:=>|\{)/;
  const other = /[^\w\s(){}<>=!+\-*/%&|^~?:;,.'"]|__|(?<!\bMath)\.(?!\d)/;
  const object =
    /(?:[(=,:?&|]|\breturn)\s*\{(?!\s*input\s*,?\s*\}\s*,?\s*\)\s*(?:=>|\{))/;
  const parts = ['(', ')', '{', '}', ' ', '\n', '=>', ',', 'input', 'function'];
  const more = ['async', 'function f', '1', '_', '.', '.5', ';', '=', '?', '§'];
  const harmless = [
    '({ input }) => ',
    '(',
    'return ',
    'return{',
    '({ input })',
  ];
  for (const beginning of ['', '(', '(({ input }) => ', '(() => {']) {
    holds([...parts, ...more, ...harmless], (rest) => {
      const text = beginning + rest;
      const isOf = head.test(text) && !other.test(text);
      expect(isClosed(text)).toBe(isOf);
      if (isOf)
        expect(reachOf(text)).toBe(
          object.test(text) ? Reach.BuiltIns : Reach.Nothing,
        );
    });
  }
});

test('Math', () => {
  const parts = ['Math', '.', 'max', 'PI', 'E', '(', ')', '1', ' ', 'x', '+'];
  const member = /\.(\w+)(\(?)/y;
  holds(parts, (rest) => {
    const text = `(() => ${rest}`;
    const uses = [...text.matchAll(/\w+/g)].filter(([word]) => word === 'Math');
    const isForeign = ({ index }) => {
      member.lastIndex = index + 4;
      const [, name, call] = member.exec(text) ?? [];
      return !(name === 'PI' || name === 'E' || (call && name in Math));
    };
    const isFine =
      !/__|(?<!\bMath)\.(?!\d)/.test(text) &&
      !uses.some(isForeign) &&
      // Names with a capital are foreign, but for members of Math.
      ![...text.matchAll(/(?<!\.)\b[A-Z]\w*/g)].some(
        ([word]) => word !== 'Math',
      );
    expect([text, isClosed(text)]).toEqual([text, isFine]);
  });
});

test('durations and addresses', () => {
  const duration = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/;
  holds(['1', '20', '.', 'm', 's', 'h', ' ', '-', 'constructor'], (text) => {
    const ms = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
    const [, amount, unit] = duration.exec(text) ?? [];
    const expected = Math.ceil(Number(amount) * ms[unit]);
    let result = Number.NaN;
    try {
      result = readInterval('x', text);
    } catch {}
    expect(result).toBe(
      expected > 0 && expected < 2 ** 32 ? expected : Number.NaN,
    );
  });
  const address = /^(?:(?:\[([^\]]+)\]|([^:[\]\s]+)):)?(\d{1,5})$/;
  holds(['1', '9230', ':', '[', ']', 'a', '.', ' ', '::1'], (text) => {
    const [, v6, name, port] = address.exec(text) ?? [];
    const isPort = port !== undefined && Number(port) <= 65_535;
    expect(parseAddress(text)).toEqual(
      isPort
        ? { host: v6 ?? name ?? '127.0.0.1', port: Number(port) }
        : undefined,
    );
  });
});

const KEY = 'a';
test.each([
  [() => 1, /^\(\(\) => 1\n\)$/],
  [{ async *m() {} }.m, /^\(\{async \*m\(\) \{\}\n\}\)\["m"\]$/],
  [{ async *[KEY]() {} }[KEY], /^\(\{async \*"a"\(\) \{\}\n\}\)\["a"\]$/],
  [{ [`g]${1}`](_get) {} }['g]1'], /^\(\{"g\]1"\(_get\) \{\}\n\}\)\["g\]1"\]$/],
  [{ get() {} }.get, /^\(\{get\(\) \{\}\n\}\)\["get"\]$/],
  [{ set() {} }.set, /^\(\{set\(\) \{\}\n\}\)\["set"\]$/],
  [{ getA() {} }.getA, /^\(\{getA\(\) \{\}\n\}\)\["getA"\]$/],
])('%s is sent', (fn, text) => {
  expect(functionSource(fn)).toMatch(text);
});

const getterOf = (object, name) =>
  Object.getOwnPropertyDescriptor(object, name).get;
test.each([
  [Math.max, 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD'],
  [(() => 1).bind(null), 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD'],
  [class {}, 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD'],
  [class A {}, 'SLOPPY_E_WORKER_UNSUPPORTED_PAYLOAD'],
  [
    getterOf(
      {
        get a() {
          return 1;
        },
      },
      'a',
    ),
    'SLOPPY_E_WORKER_CRASHED',
  ],
  [
    getterOf(
      {
        get [KEY]() {
          return 1;
        },
      },
      'a',
    ),
    'SLOPPY_E_WORKER_CRASHED',
  ],
  [
    getterOf(
      {
        get 1() {
          return 1;
        },
      },
      '1',
    ),
    'SLOPPY_E_WORKER_CRASHED',
  ],
])('%s is refused', (fn, code) => {
  expect(() => functionSource(fn)).toThrow(expect.objectContaining({ code }));
});
