'use strict';

/* global thrown, rejected, collect */
const { AS_NODE, standard } = require('./support.js');

standard('what the classes of Fetch are given', {
  'a record is read key by key, its iterator is asked for once': [
    () => {
      const log = [];
      const logged = (target) =>
        new Proxy(target, {
          get(object, key) {
            log.push(`get ${String(key)}`);
            return object[key];
          },
          ownKeys(object) {
            log.push('keys');
            return Reflect.ownKeys(object);
          },
          getOwnPropertyDescriptor(object, key) {
            log.push(`own ${String(key)}`);
            return Reflect.getOwnPropertyDescriptor(object, key);
          },
        });
      new Headers(logged({ a: '1', b: '2' }));
      const record = log.splice(0);
      new Headers(logged([]));
      return [
        record,
        log.filter((entry) => entry === 'get Symbol(Symbol.iterator)').length,
        thrown(() => new Headers({ [Symbol('x')]: '1' })),
        thrown(() => new Headers([['a', '\u0100'], ['?']])),
        thrown(() => new Headers([['a', 'b', 'c']])),
      ];
    },
    [
      [
        'get Symbol(Symbol.iterator)',
        'keys',
        'own a',
        'get a',
        'own b',
        'get b',
      ],
      1,
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  'Headers are filled without the method append': [
    () => {
      const { append } = Headers.prototype;
      Headers.prototype.append = () => {};
      try {
        return [...new Headers({ a: '1' })];
      } finally {
        Headers.prototype.append = append;
      }
    },
    [['a', '1']],
  ],
  'options are asked for once, in the order that Node has': [
    () => {
      const log = [];
      const options = new Proxy(
        {},
        {
          get(_, key) {
            log.push(key);
          },
        },
      );
      new Request('https://a.test/', options);
      const request = log.splice(0);
      new Response('', options);
      return [request, log];
    },
    AS_NODE,
  ],
  'a request has a priority, and was no navigation': [
    () => {
      const request = (priority) =>
        new Request('https://a.test/', { priority });
      const { isReloadNavigation, isHistoryNavigation } = request('low');
      return [
        isReloadNavigation,
        isHistoryNavigation,
        ['high', 'auto', undefined].map((value) => request(value).url),
        ['', 'HIGH', null].map((value) => thrown(() => request(value).url)),
      ];
    },
    AS_NODE,
  ],
  'relative URLs, where code has set a location': [
    () => {
      const before = [
        thrown(() => new Request('x')),
        thrown(() => Response.redirect('x')),
      ];
      globalThis.location = new URL('https://a.test/b/c');
      try {
        const referrer = (to) => new Request('', { referrer: to }).referrer;
        return [
          before,
          new Request('x?y').url,
          Response.redirect('/z').headers.get('location'),
          referrer('/d'),
          referrer('https://other.test/'),
        ];
      } finally {
        delete globalThis.location;
      }
    },
    [
      ['TypeError', 'TypeError'],
      'https://a.test/b/x?y',
      'https://a.test/z',
      'https://a.test/d',
      'about:client',
    ],
  ],
  'a copy of an error cannot be changed either': [
    () => thrown(() => Response.error().clone().headers.append('a', 'b')),
    'TypeError',
  ],
  'a copied stream has copies of the chunks': [
    async () => {
      const chunk = Uint16Array.of(1, 2);
      const response = new Response(ReadableStream.from([chunk]));
      const copy = response.clone();
      const [one] = await collect(response.body);
      const [two] = await collect(copy.body);
      return [
        one === chunk,
        two === chunk,
        two.constructor === Uint16Array,
        [...two],
        two.buffer === chunk.buffer,
      ];
    },
    [true, false, true, [1, 2], false],
  ],
  'a chunk is taken as it was when it was read': [
    async () => {
      const buffer = new Uint8Array(1);
      const stream = new ReadableStream(
        {
          pull(c) {
            buffer[0] = buffer[0] === 0 ? 97 : buffer[0] + 1;
            if (buffer[0] === 100) c.close();
            else c.enqueue(buffer);
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(stream).text();
    },
    'abc',
  ],
  'the type of a body is made of all Content-Types': [
    async () => {
      const type = async (...values) => {
        const headers = values.map((value) => ['content-type', value]);
        return (await new Response('', { headers }).blob()).type;
      };
      return [
        await type('text/a;charset=x', 'text/a'),
        await type('text/a;charset=x', 'text/b'),
        await type('text/a', 'no type', '*/*'),
        await type('text/a;x="1,2"'),
        await type('text/a, text/b;x="\\",', 'text/c'),
        await type('none'),
      ];
    },
    [
      'text/a;charset=x',
      'text/b',
      'text/a',
      'text/a;x="1,2"',
      'text/b;x="\\",, text/c"',
      '',
    ],
  ],
  'a form of text keeps a mark and a question mark': [
    async () => {
      const body = new TextEncoder().encode('?a=1&\ufeffb=%EF%BB%BF');
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      return [...(await new Response(body, { headers }).formData())];
    },
    [
      ['?a', '1'],
      ['\ufeffb', '\ufeff'],
    ],
  ],
  'parts of a form: spaces, types and what is malformed': [
    async () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=B' };
      const read = async (...lines) => {
        const response = new Response(lines.join('\r\n'), { headers });
        const [, found] = await rejected(response.formData());
        const value = found?.get?.('a');
        if (!(value instanceof File)) return value ?? null;
        return [value.name, value.type, value.lastModified];
      };
      const file = (...lines) =>
        read(
          '--B',
          'Content-Disposition: form-data; name="a"; filename="f"',
          ...lines,
          '',
          'v',
          '--B--',
        );
      const field = (...lines) => read(...lines, '', 'v', '--B--');
      const name = 'Content-Disposition: form-data; name="a"';
      return [
        await file(),
        await file('Content-Type: none'),
        await file('content-type: \t TEXT/A;;x="y" '),
        await file('Content-Type: text/a', 'Content-Type: text/b'),
        await field('--B \t', name),
        await field('--B', ` ${name.replace(':', ' \t:')}`),
        await read('--B', name, '', 'v', '--B-- \t'),
        await read('--B', name, '', 'v', '--B--x'),
        await field('before', '--B', name),
        await field('--B', 'Content-Disposition: form-data;', ' name="a"'),
        await field('--B', name.replace('"a"', '"a"\n')),
        await field('--B', name, 'X: \0'),
        await field('--B', name, 'X Y: 1'),
      ];
    },
    [
      ['f', 'text/plain', 0],
      ['f', '', 0],
      ['f', 'text/a;x=y', 0],
      ['f', 'text/b', 0],
      'v',
      'v',
      'v',
      ...Array.from({ length: 6 }, () => null),
    ],
  ],
});
