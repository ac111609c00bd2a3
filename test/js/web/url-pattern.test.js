'use strict';

/* global thrown */
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
});
