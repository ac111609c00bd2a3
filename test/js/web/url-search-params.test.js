'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('URLSearchParams', {
  'can be made of': [
    () =>
      [
        new URLSearchParams(),
        new URLSearchParams(undefined),
        new URLSearchParams('?a=1&b=%2B+%zz&&=x&c'),
        new URLSearchParams({ a: 1, b: null }),
        new URLSearchParams([['a', 1], new Set(['b', 2])]),
        new URLSearchParams(new Map([['k', 'v']])),
        new URLSearchParams(new URLSearchParams('q=r')),
        new URLSearchParams({ a: '\uD800' }),
        new URLSearchParams('a=%C3%A9\u00e9'),
      ].map((params) => `${params}`),
    [
      '',
      '',
      'a=1&b=%2B+%25zz&=x&c=',
      'a=1&b=null',
      'a=1&b=2',
      'k=v',
      'q=r',
      'a=%EF%BF%BD',
      'a=%C3%A9%C3%A9',
    ],
  ],
  'wrong pairs and wrong calls': [
    () => [
      thrown(() => new URLSearchParams([['a']])),
      thrown(() => new URLSearchParams([['a', 'b', 'c']])),
      thrown(() => new URLSearchParams([1])),
      thrown(() => new URLSearchParams({ [Symbol.iterator]: 1 })),
      thrown(() => new URLSearchParams().append('a')),
      thrown(() => new URLSearchParams().get()),
      thrown(() => new URLSearchParams().forEach()),
      thrown(() => new URLSearchParams().forEach({})),
      thrown(() => URLSearchParams()),
      thrown(() => URLSearchParams.prototype.size),
    ],
    Array.from({ length: 10 }, () => 'TypeError'),
  ],
  'reads and writes': [
    () => {
      const params = new URLSearchParams('a=1&b=2&a=3&c=4');
      const log = [
        params.size,
        params.get('a'),
        params.getAll('a'),
        params.get('z'),
        params.has('a', '3'),
        params.has('a', '9'),
        params.has('b', undefined),
      ];
      params.set('a', 'x');
      log.push(`${params}`);
      params.append('a', 'y');
      params.delete('a', 'x');
      log.push(`${params}`);
      params.delete('b', undefined);
      params.set('new', 'n');
      log.push(`${params}`, params.size);
      return log;
    },
    [
      4,
      '1',
      ['1', '3'],
      null,
      true,
      false,
      true,
      'a=x&b=2&c=4',
      'b=2&c=4&a=y',
      'c=4&a=y&new=n',
      3,
    ],
  ],
  'sort is stable and by code unit': [
    () => {
      const sorted = (text) => {
        const params = new URLSearchParams(text);
        params.sort();
        return [...params.keys()].join(' ');
      };
      return [
        sorted('z=b&a=b&z=a&a=a'),
        sorted('\ufffd=x&\ufffc&\ufffd=a') === '\ufffc \ufffd \ufffd',
        sorted('\ufb03&\u{1f308}') === '\u{1f308} \ufb03',
        sorted('bbb&bb&aaa&aa=x&aa=y'),
      ];
    },
    ['a a z z', true, true, 'aa aa aaa bb bbb'],
  ],
  'iterators are live': [
    () => {
      const params = new URLSearchParams('a=1&b=2&c=3');
      const seen = [];
      for (const [key] of params) {
        seen.push(key);
        params.delete(key);
      }
      const iterator = new URLSearchParams('a=b')[Symbol.iterator]();
      return [
        seen,
        `${params}`,
        Object.prototype.toString.call(iterator),
        URLSearchParams.prototype[Symbol.iterator] ===
          URLSearchParams.prototype.entries,
        [...new URLSearchParams('a=b').values()],
      ];
    },
    [['a', 'c'], 'b=2', '[object URLSearchParams Iterator]', true, ['b']],
  ],
  'forEach gives value, key and object, with its this': [
    () => {
      const params = new URLSearchParams('a=1');
      const log = [];
      params.forEach(
        function (value, key, whole) {
          log.push(value, key, whole === params, this.x);
        },
        { x: 1 },
      );
      return log;
    },
    ['1', 'a', true, 1],
  ],
});
