'use strict';

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];

function parts(URL_, input, base) {
  try {
    const url = new URL_(input, base);
    return Object.fromEntries(PARTS.map((part) => [part, url[part]]));
  } catch (error) {
    return error.name;
  }
}

// [input, base]; the expected answer is that of Node's own parser.
const INPUTS = [
  ['https://User:p%20w@EXAMPLE.com:443/a/../b/./c?q=1#f'],
  ['http://\u00e4\u00f6\u00fc.example/\u00df?\u20ac#\u00e9'],
  ['http://xn--fa-hia.de/'],
  ['http://fa\u00df.de/'],
  ['http://\u65e5\u672c\u8a9e.jp'],
  ['http://[::1]:8080/x'],
  ['http://[2001:DB8::0:1]/'],
  ['http://0x7f.1/'],
  ['http://256.1.1.1/'],
  ['http://a b/'],
  ['http://ex%41mple.com/'],
  ['//host/path', 'https://base.org/x'],
  ['../up?x', 'https://base.org/a/b/c'],
  ['?only', 'https://base.org/a?b#c'],
  ['#frag', 'about:blank'],
  ['file:///C:/a/../b'],
  ['file://host/share'],
  ['data:text/plain,hello world#x'],
  ['mailto:a@b.c'],
  ['javascript:alert(1)'],
  ['blob:https://a.org/uuid'],
  ['http:/single'],
  ['http://user@:80/'],
  ['http://h:99999/'],
  ['http://h:/p'],
  [' \thttp://trim.me/\n '],
  ['no scheme'],
  [''],
  ['non-special://h:12/p?q'],
  ['http://a.b/%zz%41'],
  ['http://h/\'"<>`{}|'],
  ['http://h?\'"<> '],
  ['http://A_B.com./'],
  ['wss://h:443/'],
  ['ftp://h:21/x'],
];

describe('URL', () => {
  const inner = bare.run('URL');

  test.each(INPUTS.map(([input, base]) => [input, base ?? undefined]))(
    'parses %s as Node does',
    (input, base) => {
      expect(parts(inner, input, base)).toEqual(parts(URL, input, base));
    },
  );

  test('setters do what Node\u2019s do', () => {
    const steps = [
      ['protocol', 'http'],
      ['host', 'new.example:81'],
      ['port', '80'],
      ['pathname', 'a b/\u00e4'],
      ['search', 'x=\u00e4'],
      ['hash', 'h h'],
      ['username', 'u@'],
      ['password', 'p:'],
      ['hostname', '\u00e4.com'],
      ['hostname', 'bad host'],
      ['href', 'https://other/'],
    ];
    const ours = new inner('https://u:p@start.org:1/p?q#h');
    const nodes = new URL('https://u:p@start.org:1/p?q#h');
    for (const [part, value] of steps) {
      ours[part] = value;
      nodes[part] = value;
      expect([part, ours.href]).toEqual([part, nodes.href]);
    }
    expect(() => {
      ours.href = 'nope';
    }).toThrow(/URL/i);
  });

  test('canParse, parse, toJSON and a live searchParams', () => {
    const result = bare.run(`
      const u = new URL('http://h/?a=1');
      u.searchParams.append('b', '\\u00e4 +');
      const one = u.search;
      u.search = '?c';
      [URL.canParse('x:'), URL.canParse('x'), URL.parse('x'), JSON.stringify(u), one,
        u.searchParams.has('c'), u.searchParams.size].join()`);
    expect(result).toBe('true,false,,"http://h/?c",?a=1&b=%C3%A4+%2B,true,1');
  });
});

describe('URLSearchParams', () => {
  const SOURCES = [
    `new P('?a=1&a=2&b=%C3%A4+x&&=v&k')`,
    `new P([['a', '1'], ['b', '\\u20ac']])`,
    `new P({ x: 1, y: undefined })`,
    `new P(new P('q=1'))`,
    `(() => { const p = new P('b=1&a=2&b=0'); p.sort(); return p; })()`,
    `(() => { const p = new P('a=1&a=2'); p.set('a', 3); p.append('b', '&='); return p; })()`,
    `(() => { const p = new P('a=1&a=2'); p.delete('a', '2'); return p; })()`,
  ];

  test.each(SOURCES)('%s is as in Node', (source) => {
    const make = (P) => new Function('P', `return ${source}`)(P);
    const ours = make(bare.run('URLSearchParams'));
    const nodes = make(URLSearchParams);
    expect(ours.toString()).toBe(nodes.toString());
    expect([...ours].map((pair) => [...pair])).toEqual([...nodes]);
  });
});

describe('URLPattern', () => {
  test('matches and captures', () => {
    const result = bare.run(`
      const p = new URLPattern({ pathname: '/books/:id(\\\\d+)' });
      JSON.stringify([p.test('https://h/books/12'), p.test('https://h/books/x'),
        p.exec('https://h/books/12').pathname.groups])`);
    expect(result).toBe('[true,false,{"id":"12"}]');
  });
});
