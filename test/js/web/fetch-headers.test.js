'use strict';

/* global thrown, rejected */
const { standard } = require('./support.js');

standard('Headers', {
  'can be made of': [
    () =>
      [
        undefined,
        {},
        { a: 1, B: 'x' },
        [
          ['a', 'b'],
          ['A', 'c'],
        ],
        new Headers({ q: 'r' }),
        new Map([['m', 'n']]),
        { a: undefined, b: null },
      ].map((init) => [...new Headers(init)].join(';')),
    ['', '', 'a,1;b,x', 'a,b, c', 'q,r', 'm,n', 'a,undefined;b,null'],
  ],
  'what it cannot be made of': [
    () =>
      [
        null,
        5,
        'text',
        [['a']],
        [['a', 'b', 'c']],
        ['ab'],
        { 'a b': 'c' },
        { a: 'b\nc' },
        { a: '\u0100' },
        { '\u00e9': 'x' },
        { [Symbol('s')]: 1 },
      ].map((init) => thrown(() => new Headers(init))),
    Array.from({ length: 11 }, () => 'TypeError'),
  ],
  'names have no case, values no edges': [
    () => {
      const headers = new Headers({ 'X-A': '\t v \r\n' });
      headers.append('x-a', '');
      headers.append('x-A', 'w');
      const log = [headers.get('X-a'), headers.has('x-A'), headers.get('none')];
      headers.set('x-a', 'one');
      log.push(headers.get('x-a'));
      headers.delete('X-A');
      log.push(headers.has('x-a'));
      return log;
    },
    ['v, , w', true, null, 'one', false],
  ],
  'cookies stay apart': [
    () => {
      const headers = new Headers([
        ['set-cookie', 'a'],
        ['z', '1'],
        ['Set-Cookie', 'b'],
      ]);
      return [
        headers.get('set-cookie'),
        headers.getSetCookie(),
        [...headers],
        new Headers().getSetCookie(),
      ];
    },
    [
      'a, b',
      ['a', 'b'],
      [
        ['set-cookie', 'a'],
        ['set-cookie', 'b'],
        ['z', '1'],
      ],
      [],
    ],
  ],
  'is read in order, as it is at the moment': [
    () => {
      const headers = new Headers({ b: '2', a: '1', c: '3' });
      const seen = [];
      for (const [name] of headers) {
        seen.push(name);
        headers.delete('b');
      }
      const log = [];
      headers.forEach(
        function (value, name, all) {
          log.push([value, name, all === headers, this.x]);
        },
        { x: 1 },
      );
      const iterator = headers.entries();
      return [
        seen,
        log,
        [...headers.keys()],
        [...headers.values()],
        `${iterator}`,
        Headers.prototype[Symbol.iterator] === Headers.prototype.entries,
        Object.keys(Object.getPrototypeOf(iterator)),
        iterator[Symbol.iterator]() === iterator,
      ];
    },
    [
      ['a', 'c'],
      [
        ['1', 'a', true, 1],
        ['3', 'c', true, 1],
      ],
      ['a', 'c'],
      ['1', '3'],
      '[object Headers Iterator]',
      true,
      ['next'],
      true,
    ],
  ],
  'wrong calls': [
    () => {
      const headers = new Headers();
      return [
        () => headers.append('a'),
        () => headers.get(),
        () => headers.get(''),
        () => headers.get('a:b'),
        () => headers.set('a'),
        () => headers.set('a', 'b\0'),
        () => headers.has(),
        () => headers.delete('\u00e9'),
        () => headers.forEach(),
        () => headers.forEach({}),
        () => Headers(),
        () => Headers.prototype.get.call({}, 'a'),
        () => Headers.prototype.entries.call({}),
      ].map(thrown);
    },
    Array.from({ length: 13 }, () => 'TypeError'),
  ],
});

standard('FormData', {
  'keeps names, values and order': [
    () => {
      const form = new FormData();
      form.append('a', 1);
      form.append('b', 'x');
      form.append('a', null);
      const log = [
        form.get('a'),
        form.getAll('a'),
        form.get('z'),
        form.getAll('z'),
        form.has('b'),
      ];
      form.set('a', 'new');
      form.set('c', '\ud800');
      log.push([...form]);
      form.delete('b');
      log.push([...form.keys()], [...form.values()], `${form}`);
      return log;
    },
    [
      '1',
      ['1', 'null'],
      null,
      [],
      true,
      [
        ['a', 'new'],
        ['b', 'x'],
        ['c', '\ufffd'],
      ],
      ['a', 'c'],
      ['new', '\ufffd'],
      '[object FormData]',
    ],
  ],
  'blobs become files': [
    () => {
      const form = new FormData();
      const file = new File(['f'], 'own', { lastModified: 5, type: 't/x' });
      form.append('a', new Blob(['b'], { type: 'x/y' }));
      form.append('b', new Blob(['b']), 'named');
      form.append('c', file);
      form.append('d', file, 'other');
      const [a, b, c, d] = [...form.values()];
      return [
        a instanceof File,
        a.name,
        a.type,
        b.name,
        c === file,
        d.name,
        d.lastModified,
        d.type,
      ];
    },
    [true, 'blob', 'x/y', 'named', true, 'other', 5, 't/x'],
  ],
  'wrong calls': [
    () => {
      const form = new FormData();
      return [
        () => new FormData({}),
        () => new FormData(null),
        () => FormData(),
        () => form.append('a'),
        () => form.append('a', 'b', 'name'),
        () => form.set('a'),
        () => form.set('a', 'b', 'name'),
        () => form.get(),
        () => form.delete(),
        () => FormData.prototype.get.call({}, 'a'),
      ].map(thrown);
    },
    Array.from({ length: 10 }, () => 'TypeError'),
  ],
  'goes through a body and back': [
    async () => {
      const form = new FormData();
      form.append('text', 'a\nb\r\nc');
      form.append('q"uote\r\n', 'v');
      form.append(
        'file',
        new File([new Uint8Array([13, 10, 45, 45, 255])], 'n".bin', {
          type: 'x/y',
        }),
      );
      const response = new Response(form);
      const type = response.headers.get('content-type');
      const back = await response.formData();
      const file = back.get('file');
      return [
        /^multipart\/form-data; boundary=/.test(type),
        back.get('text'),
        back.get('q%22uote%0D%0A'),
        file.name,
        file.type,
        [...(await file.bytes())],
      ];
    },
    [true, 'a\r\nb\r\nc', 'v', 'n%22.bin', 'x/y', [13, 10, 45, 45, 255]],
  ],
  'is read of other kinds of bodies': [
    async () => {
      const read = (body, type) =>
        rejected(
          new Response(body, { headers: { 'content-type': type } })
            .formData()
            .then((form) => [...form]),
        );
      return [
        await read('a=1&b=%20+', 'application/x-www-form-urlencoded;charset=x'),
        await read(
          '--x\r\ncontent-disposition: form-data; name="n"\r\n\r\nv\r\n--x--',
          'multipart/form-data; boundary="x"',
        ),
        await read('--x--\r\n', 'multipart/form-data;boundary=x'),
        await read('a=1', 'text/plain'),
        await read('a=1', 'multipart/form-data'),
        await read('a=1', 'multipart/form-data; boundary=x'),
        await read('--x\r\n\r\nv\r\n--x--', 'multipart/form-data; boundary=x'),
      ];
    },
    [
      [
        'none',
        [
          ['a', '1'],
          ['b', '  '],
        ],
      ],
      ['none', [['n', 'v']]],
      ['none', []],
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
});
