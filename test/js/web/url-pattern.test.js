'use strict';

/* global thrown */
const { same } = require('../crypto/support.js');
const { standard } = require('./support.js');

standard('URLPattern', {
  'is made of parts, a text, or a text and its base': [
    () => {
      const parts = ({
        protocol,
        username,
        password,
        hostname,
        port,
        pathname,
        search,
        hash,
      }) =>
        [
          protocol,
          username,
          password,
          hostname,
          port,
          pathname,
          search,
          hash,
        ].join(' ');
      return [
        parts(new URLPattern()),
        parts(new URLPattern({ pathname: '/a/:b' })),
        parts(new URLPattern('https://h:8080/x?q#f')),
        parts(new URLPattern('/x', 'https://h/y?z')),
        parts(new URLPattern({ pathname: 'x', baseURL: 'https://h/y/z' })),
        thrown(() => new URLPattern('relative')),
        thrown(() => new URLPattern('/(')),
        thrown(() => new URLPattern({ pathname: '/:a/:a' })),
        thrown(() => URLPattern({})),
      ];
    },
    [
      '* * * * * * * *',
      '* * * * * /a/:b * *',
      'https * * h 8080 /x q f',
      'https * * h  /x * *',
      'https * * h  /y/x * *',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  'tests and executes': [
    () => {
      const pattern = new URLPattern({
        hostname: ':sub.example.*',
        pathname: '/books/:id(\\d+){/:part}?',
      });
      const { hostname, pathname } = pattern.exec(
        'https://a.example.com/books/12/x',
      );
      const none = pattern.exec('https://a.example.com/books/12').pathname
        .groups;
      return [
        { ...hostname.groups },
        pathname.input,
        { ...pathname.groups },
        pattern.exec('https://a.example.com/books/x'),
        pattern.test({ hostname: 'b.example.org', pathname: '/books/1' }),
        pattern.test('/books/1', 'https://b.example.org'),
        pattern.test('no url'),
        'part' in none,
        none.part,
        pattern.hasRegExpGroups,
        new URLPattern({ pathname: '/x' }).hasRegExpGroups,
        thrown(() => pattern.test({ pathname: 'x' }, 'https://h')),
      ];
    },
    [
      { sub: 'a', 0: 'com' },
      '/books/12/x',
      { id: '12', part: 'x' },
      null,
      true,
      true,
      false,
      true,
      undefined,
      true,
      false,
      'TypeError',
    ],
  ],
  options: [
    () => [
      new URLPattern({ pathname: '/A' }, { ignoreCase: true }).test({
        pathname: '/a',
      }),
      new URLPattern('https://h/A', { ignoreCase: true }).test('https://h/a'),
      new URLPattern({ pathname: '/A' }).test({ pathname: '/a' }),
    ],
    [true, true, false],
  ],
  'hosts, ports and protocols are read as a URL has them': [
    () => {
      const read = (part) => (text) =>
        thrown(() => new URLPattern({ [part]: text })[part]);
      return [
        ['bad#x', 'a%41', 'b\nad', 'a/b', 'a\\\\b', 'bad|x', '256.1'].map(
          read('hostname'),
        ),
        ['80x', '0080', '8\t0', '8 0', 'x', '65536'].map(read('port')),
        ['HTTP', 'a-b', '1a'].map(read('protocol')),
        read('hash')('##a'),
        new URLPattern({ protocol: 'wss', port: '443' }).port,
        new URLPattern({ protocol: ':p' }).test({ protocol: '1x' }),
      ];
    },
    [
      [
        ['none', 'bad'],
        ['none', 'aa'],
        ['none', 'bad'],
        ['none', 'a'],
        ['none', 'a'],
        'TypeError',
        'TypeError',
      ],
      [
        ['none', '80'],
        ['none', '80'],
        ['none', '80'],
        ['none', '8'],
        'TypeError',
        'TypeError',
      ],
      [['none', 'http'], ['none', 'a-b'], 'TypeError'],
      ['none', '#a'],
      '',
      false,
    ],
  ],
  'sets of characters, names beyond 16 bits, and an escape of nothing': [
    () => [
      new URLPattern({ pathname: '/([[a-z]--a])' }).test({ pathname: '/b' }),
      new URLPattern({ pathname: '/([[a-z]--a])' }).test({ pathname: '/a' }),
      new URLPattern({ pathname: '/:a\u{E0100}b' }).exec({ pathname: '/x' })
        .pathname.groups['a\u{E0100}b'],
      new URLPattern({ protocol: ':p' }).exec({ protocol: 'ab' }).protocol,
      thrown(() => new URLPattern({ pathname: '/a\\' })),
    ],
    [true, false, 'x', { input: 'ab', groups: { p: 'ab' } }, 'TypeError'],
  ],
  'arguments, as Web IDL reads them': [
    () => {
      const log = [];
      const init = new Proxy(
        {},
        {
          get(_, key) {
            log.push(key);
          },
        },
      );
      const input = { pathname: '/A', more: 1 };
      const found = new URLPattern(init).exec(input);
      return [
        log,
        found.inputs,
        found.inputs[0] === input,
        new URLPattern(null).pathname,
        new URLPattern({ pathname: '/a' }, { ignoreCase: 1 }).test(input),
        thrown(() => new URLPattern({ pathname: '/a' }, undefined, {})),
        thrown(() => new URLPattern('/a', 1)),
        thrown(() => new URLPattern({}, true)),
        thrown(() => new URLPattern().exec({}, 'https://a.test')),
        thrown(() => URLPattern.prototype.test.call({})),
        Object.getOwnPropertyNames(URLPattern).sort(),
      ];
    },
    [
      [
        'baseURL',
        'hash',
        'hostname',
        'password',
        'pathname',
        'port',
        'protocol',
        'search',
        'username',
      ],
      [{ pathname: '/A' }],
      false,
      '*',
      true,
      ...Array.from({ length: 5 }, () => 'TypeError'),
      ['length', 'name', 'prototype'],
    ],
  ],
});

// Node's own class says how it refuses, where there is one.
if (Number(process.versions.node.split('.')[0]) >= 24) {
  same('URLPattern as in Node', {
    'refuses with the same errors': () => {
      const pattern = new URLPattern({ pathname: '/foo' });
      return [
        () => new URLPattern(5),
        () => new URLPattern(Symbol('s')),
        () => new URLPattern('/a'),
        () => new URLPattern('/a', 'nope'),
        () => new URLPattern('/a', 5),
        () => new URLPattern({}, 'https://a.b'),
        () => new URLPattern({}, {}, {}),
        () => new URLPattern('/a', 'https://a.b', 5),
        () => new URLPattern('/a', 'https://a.b', null),
        () => new URLPattern({ pathname: '(' }),
        () => new URLPattern({ baseURL: 'nope' }),
        () => pattern.test(5),
        () => pattern.test('/foo', 5),
        () => pattern.test('/foo', 'nope'),
        () => pattern.test({}, 'https://a.b'),
        () => pattern.exec({}, 'https://a.b'),
        () => pattern.exec('/foo', 'https://a.b'),
      ].map((use) => {
        try {
          return typeof use();
        } catch ({ name, message, code }) {
          return [name, message, code];
        }
      });
    },
    'gives parts in the same shape': () => {
      const found = new URLPattern({ pathname: '/:a' }).exec('https://x.y/b?c');
      return [
        Object.getPrototypeOf(found) === null,
        JSON.stringify(found),
        Object.keys(found),
      ];
    },
  });
}
