'use strict';

// The parser of URLs that the binary for Windows has in place of ada, against
// ada: the same texts, numbers of parts and errors.

const { createBareContext } = require('./bare-context.js');

const bare = createBareContext();
const ada = bare.host.binding('url');
const ours = bare.api.load('url-natives');

const INPUTS = [
  'https://User:p%20w@EXAMPLE.com:443/a/../b/./c?q=1#f',
  'http://user@:80/',
  'http://:pass@h/x',
  'http://u:@h/x',
  'http://u@h:81/x?#',
  'http://\u00e4\u00f6.example/\u00df?\u20ac#\u00e9',
  'http://xn--fa-hia.de/',
  'http://fa\u00df.de:8080',
  'http://[2001:DB8::0:1]:99/',
  'http://0x7f.1/',
  'http://256.1.1.1/',
  'http://h:99999/',
  'http://a b/',
  'file:///C:/a/../b',
  'file://host/share?x',
  'file:',
  'data:text/plain,hello world#x',
  'mailto:a@b.c?subject=x',
  'javascript:alert(1)',
  'blob:https://a.org/uuid',
  'web+demo:/.//not-a-host/',
  'non-special://h:12/p?q',
  'non-special://u:p@h',
  'non-special:///p',
  'wss://h:443/',
  'ws://h:80#',
  'ftp://h:21/x',
  ' \thttp://trim.me/\n ',
  'http://h/\ud800?\ud800#\ud800',
  'no scheme',
  '',
];
const BASES = [undefined, 'https://base.org/a/b?c#d', 'about:blank', 'nope'];

function answer(natives, name, ...args) {
  try {
    const value = natives[name](...args);
    const isHref = ['parse', 'update', 'pathToFileURL'].includes(name);
    if (!isHref || typeof value !== 'string') return value;
    return [value, ...natives.urlComponents];
  } catch ({ name, message, code, input, base }) {
    return { name, message, code, input, base };
  }
}

const differences = (calls) =>
  calls
    .map((call) => [call, answer(ours, ...call), answer(ada, ...call)])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other));

const valid = INPUTS.filter((input) => ada.canParse(input));

describe('URL on Windows', () => {
  test('parses as ada does', () => {
    const calls = INPUTS.flatMap((input) =>
      BASES.flatMap((base) => [
        ['parse', input, base, true],
        ['parse', input, base, false],
        ['canParse', input, base],
      ]),
    );
    expect(valid.length).toBeGreaterThan(20);
    expect(differences(calls)).toEqual([]);
  });

  test('changes parts as ada does', () => {
    const VALUES = [
      ['http', 'https:', 'file', 'x-y', '1'],
      ['new.example:81', 'h', '\u00e4.com', 'bad host', ''],
      ['other.example', 'h:1', '\u00e4.com', 'bad host', ''],
      ['80', '8080x', '', '99999', 'x'],
      ['u@', ''],
      ['p:', ''],
      ['a b/\u00e4', '/../x', '//y', ''],
      ['x=\u00e4', '?', ''],
      ['h h', '#', ''],
      ['https://other/', 'nope'],
    ];
    const calls = valid.flatMap((input) => {
      const href = ada.parse(input);
      // ada loses the port that comes with a first host; the standard does not.
      const isHostless = /^[^:]+:(?!\/\/[^/])/.test(href);
      return VALUES.flatMap((values, part) =>
        values
          .filter((value) => !(isHostless && value.endsWith(':81')))
          .map((value) => ['update', href, part, value]),
      );
    });
    const wrong = differences(calls).filter(
      // A part that stays is the same text or `false`.
      ([[, href], one, other]) => !(one[0] === href && other === false),
    );
    expect(wrong).toEqual([]);
  });

  test('writes, and names hosts and files, as ada does', () => {
    const FLAGS = [0, 1, 6, 9, 15];
    const hosts = ['xn--fa-hia.de', 'fa\u00df.de', 'A.b', 'a b', '1.2', ''];
    const paths = ['/a b/%?#\\\u00e4', '/', '/x\n', 'C:\\a', '/tr '];
    const calls = [
      ...valid.flatMap((input) =>
        FLAGS.map((bits) => [
          'format',
          ada.parse(input),
          ...[1, 2, 4, 8].map((bit) => (bits & bit) !== 0),
        ]),
      ),
      ...valid.map((input) => ['getOrigin', input]),
      ...hosts.flatMap((host) => [
        ['domainToASCII', host],
        ['domainToUnicode', host],
      ]),
      ...paths.map((path) => ['pathToFileURL', path, false]),
      ...paths.map((path) => ['pathToFileURL', path, true, 'h']),
    ];
    expect(differences(calls)).toEqual([]);
  });

  test('is what URL is made of where Node shows no ada', () => {
    const { process } = bare.host;
    const windows = createBareContext({
      overrides: {
        process: { ...process, platform: 'win32' },
        binding: (name) =>
          name === 'url' ? undefined : bare.host.binding(name),
      },
    });
    const texts = windows.run(`
      const url = new URL('http://u:p@\\u00e4.example:81/a?b=1#c');
      url.searchParams.append('d', ' ');
      url.port = '';
      [url.href, url.username, url.host, url.search, url.hash, url.origin]`);
    expect([...texts]).toEqual([
      'http://u:p@xn--4ca.example/a?b=1&d=+#c',
      ...['u', 'xn--4ca.example', '?b=1&d=+', '#c'],
      'http://xn--4ca.example',
    ]);
    expect(windows.compiled).toContain('url-natives');
  });

  // Later Nodes have the binding in each of their releases.
  const onNode20 = process.version.startsWith('v20.') ? test : test.skip;
  onNode20('an old Node elsewhere says what it needs', () => {
    const old = createBareContext({
      overrides: {
        binding: (name) =>
          name === 'url' ? undefined : bare.host.binding(name),
      },
    });
    expect(() => old.run(`new URL('http://h')`)).toThrow(/Node 20\.9/);
  });
});
