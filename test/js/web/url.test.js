'use strict';

/* global thrown */
const { AS_NODE, standard } = require('./support.js');

standard('URL', {
  parses: [
    () =>
      [
        ['HTTP://User:P%41ss@EXAMPLE.com:80/a/../b/./c?q#f'],
        ['https://ex\u00e4mple.\u65e5\u672c/\u00e4?\u00e4#\u00e4'],
        ['../x', 'http://h/a/b/c'],
        ['//other', 'https://h/'],
        ['?q', 'http://h/a?b#c'],
        ['#f', 'mailto:a@b'],
        ['file:///C|/a/../..'],
        ['http://0x7f.1/'],
        ['http://[1:2::3:0:0:4]:8080'],
        ['http://[::ffff:1.2.3.4]'],
        [' \u0001http:\\\\h\\p\t\n '],
        ['data:text/plain,a b'],
        ['javascript:alert( 1 )'],
        ['non-special://h:99/%2e%2E/x'],
        ['blob:https://a.b/uuid'],
        ['http://h/%zz%41'],
        ['web+demo:/.//not-a-host/'],
      ].map((args) => {
        const { href, origin } = new URL(...args);
        return [href, origin];
      }),
    [
      ['http://User:P%41ss@example.com/b/c?q#f', 'http://example.com'],
      [
        'https://xn--exmple-cua.xn--wgv71a/%C3%A4?%C3%A4#%C3%A4',
        'https://xn--exmple-cua.xn--wgv71a',
      ],
      ['http://h/a/x', 'http://h'],
      ['https://other/', 'https://other'],
      ['http://h/a?q', 'http://h'],
      ['mailto:a@b#f', 'null'],
      ['file:///C:/', 'null'],
      ['http://127.0.0.1/', 'http://127.0.0.1'],
      ['http://[1:2::3:0:0:4]:8080/', 'http://[1:2::3:0:0:4]:8080'],
      ['http://[::ffff:102:304]/', 'http://[::ffff:102:304]'],
      ['http://h/p', 'http://h'],
      ['data:text/plain,a b', 'null'],
      ['javascript:alert( 1 )', 'null'],
      ['non-special://h:99/x', 'null'],
      ['blob:https://a.b/uuid', 'https://a.b'],
      ['http://h/%zz%41', 'http://h'],
      ['web+demo:/.//not-a-host/', 'null'],
    ],
  ],
  refuses: [
    () =>
      [
        '',
        'relative',
        'http://',
        'http://a b',
        'http://h:99999',
        'http://h:x',
        'http://[::1',
        'http://256.256.256.256',
        'http://1.2.3.4.5',
        'http://a<b',
        'http://%00',
        'https://\u00ad/',
        'non-special://[:',
        'file://h:1/',
      ].map(
        (text) =>
          `${thrown(() => new URL(text))} ${URL.canParse(text)} ${URL.parse(text)}`,
      ),
    Array.from({ length: 14 }, () => 'TypeError false null'),
  ],
  // Later ada takes what earlier refuses.
  'a label of punycode that stands for nothing': [
    () => [
      thrown(() => new URL('http://xn--a').href),
      URL.canParse('http://xn--a'),
      String(URL.parse?.('http://xn--a')),
    ],
    AS_NODE,
  ],
  'statics take a base, and arguments are checked': [
    () => [
      URL.canParse('a', 'http://h'),
      URL.canParse('a', 'b'),
      URL.parse('a', 'http://h/x/y').href,
      URL.parse('a', 'b'),
      URL.parse('http://h').href,
      thrown(() => URL.canParse()),
      thrown(() => new URL()),
      thrown(() => URL('http://h')),
      thrown(() => new URL('http://h', '')),
      new URL('a', new URL('http://h')).href,
      URL.canParse(undefined, 'http://h'),
      typeof URL.createObjectURL,
    ],
    [
      true,
      false,
      'http://h/x/a',
      null,
      'http://h/',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'http://h/a',
      true,
      'function',
    ],
  ],
  'a blob has a URL until that is revoked': [
    async () => {
      const { resolveObjectURL } = await import('node:buffer');
      const url = URL.createObjectURL(new File(['hi'], 'n', { type: 'a/b' }));
      const blob = resolveObjectURL(url);
      const found = [
        blob.constructor.name,
        blob.type,
        await blob.text(),
        resolveObjectURL(`${url}#part`)?.size,
        resolveObjectURL(`${url}x`),
        resolveObjectURL(`${url}:x`),
        resolveObjectURL('no URL'),
        resolveObjectURL('blob:nodedata:none'),
      ];
      URL.revokeObjectURL(url);
      return [
        url.replace(/[\da-f]+/g, 'x'),
        URL.createObjectURL(new Blob([])) !== url,
        found,
        resolveObjectURL(url),
        URL.revokeObjectURL('no URL'),
        thrown(() => URL.createObjectURL({})),
        thrown(() => URL.createObjectURL()),
        thrown(() => URL.revokeObjectURL()),
      ];
    },
    AS_NODE,
  ],
  'setters change what they may': [
    () => {
      const set = (href, changes) => {
        const url = new URL(href);
        Object.assign(url, changes);
        return url.href;
      };
      return [
        set('http://h:81/p', { protocol: 'https' }),
        set('http://h/p', { protocol: 'mailto' }),
        set('http://h/p', { protocol: 'https:foo' }),
        set('http://h/', { username: 'a b', password: ':@' }),
        set('file:///p', { username: 'a' }),
        set('http://h:81/', { host: 'other' }),
        set('http://h:81/', { host: 'other:90' }),
        set('http://h:81/', { host: ':90' }),
        set('http://h:81/', { hostname: 'x:1' }),
        set('http://h/', { port: '90x' }),
        set('http://h:81/', { port: '' }),
        set('http://h:81/', { port: '65536' }),
        set('http://h/', { port: '80' }),
        set('http://h/a', { pathname: 'b c?#' }),
        set('mailto:a', { pathname: 'b' }),
        set('http://h/?a', { search: '?b c' }),
        set('http://h/?a', { search: '' }),
        set('http://h/?a', { search: '?' }),
        set('http://h/#a', { hash: '#b c' }),
        set('http://h/#a', { hash: '' }),
        set('http://h/', { href: 'ftp://x' }),
        thrown(() => set('http://h/', { href: 'x' })),
        Reflect.set(new URL('http://h'), 'origin', 'x'),
      ];
    },
    [
      'https://h:81/p',
      'http://h/p',
      'https://h/p',
      'http://a%20b:%3A%40@h/',
      'file:///p',
      'http://other:81/',
      'http://other:90/',
      'http://h:81/',
      'http://h:81/',
      'http://h:90/',
      'http://h/',
      'http://h:81/',
      'http://h/',
      'http://h/b%20c%3F%23',
      'mailto:a',
      'http://h/?b%20c',
      'http://h/',
      'http://h/?',
      'http://h/#b%20c',
      'http://h/',
      'ftp://x/',
      'TypeError',
      false,
    ],
  ],
  texts: [
    () => {
      const url = new URL('http://h/?a=1');
      return [
        `${url}`,
        url.toString(),
        JSON.stringify({ url }),
        Object.prototype.toString.call(url),
        Object.keys(url),
      ];
    },
    [
      'http://h/?a=1',
      'http://h/?a=1',
      '{"url":"http://h/?a=1"}',
      '[object URL]',
      [],
    ],
  ],
  'search and searchParams follow each other': [
    () => {
      const url = new URL('http://h/?a=b%20c&d');
      const { searchParams } = url;
      const log = [url.searchParams === searchParams, searchParams.get('a')];
      searchParams.append('x', '&=~ ');
      log.push(url.search);
      url.search = '?new=1';
      log.push([...searchParams]);
      searchParams.delete('new');
      log.push(url.href);
      url.href = 'http://i/?y';
      log.push(searchParams.has('y'), Reflect.set(url, 'searchParams', 1));
      return log;
    },
    [
      true,
      'b c',
      '?a=b+c&d=&x=%26%3D%7E+',
      [['new', '1']],
      'http://h/',
      true,
      false,
    ],
  ],
});
