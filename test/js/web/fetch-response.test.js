'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('Response', {
  'starts with what its options say': [
    () => {
      const read = ({
        type,
        url,
        redirected,
        status,
        ok,
        statusText,
        headers,
        body,
        bodyUsed,
      }) => [
        type,
        url,
        redirected,
        status,
        ok,
        statusText,
        [...headers],
        body,
        bodyUsed,
      ];
      return [
        read(new Response()),
        read(
          new Response(null, {
            status: 404,
            statusText: 'No',
            headers: { a: 'b' },
          }),
        ),
        read(Response.error()),
        `${new Response()}`,
      ];
    },
    [
      ['default', '', false, 200, true, '', [], null, false],
      ['default', '', false, 404, false, 'No', [['a', 'b']], null, false],
      ['error', '', false, 0, false, '', [], null, false],
      '[object Response]',
    ],
  ],
  'the arguments are checked': [
    () => [
      ...[0, 99, 199, 600, 1000, 'x', 65536].map((status) =>
        thrown(() => new Response('', { status })),
      ),
      ...[204, 205, 304].map((status) =>
        thrown(() => new Response('', { status })),
      ),
      thrown(() => new Response('', { statusText: '\n' })),
      thrown(() => new Response('', { statusText: '\u0100' })),
      thrown(() => new Response('', { headers: 5 })),
      thrown(() => new Response('', 5)),
      thrown(() => Response()),
      new Response(null, { status: 204 }).status,
      new Response('', null).status,
      thrown(() => Response.prototype.status),
      thrown(() => Response.prototype.url),
      thrown(() => Response.prototype.body),
    ],
    [
      'RangeError',
      'RangeError',
      'RangeError',
      'RangeError',
      'RangeError',
      'RangeError',
      'RangeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      204,
      200,
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  'a body gives its type, unless there is one': [
    async () => {
      const type = (body, headers) =>
        new Response(body, { headers }).headers.get('content-type');
      return [
        type('x'),
        type(new URLSearchParams()),
        type(new Blob([], { type: 'a/b' })),
        type(new Blob([])),
        type(new Uint8Array(1)),
        type(new ReadableStream()),
        type('x', { 'Content-Type': 'own' }),
        type(5),
        type({}),
        type(null),
      ];
    },
    [
      'text/plain;charset=UTF-8',
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a/b',
      null,
      null,
      null,
      'own',
      'text/plain;charset=UTF-8',
      'text/plain;charset=UTF-8',
      null,
    ],
  ],
  'static makers': [
    async () => {
      const json = Response.json(
        { a: [1] },
        { status: 201, headers: { x: 'y' } },
      );
      const moved = Response.redirect('http://h/a b', 307);
      return [
        json.status,
        [...json.headers],
        await json.json(),
        Response.json(1, { headers: { 'content-type': 'own' } }).headers.get(
          'content-type',
        ),
        moved.status,
        moved.headers.get('location'),
        moved.body,
        Response.redirect('http://h').status,
        thrown(() => Response.json(undefined)),
        thrown(() => Response.json()),
        thrown(() => Response.json(Symbol('s'))),
        thrown(() => Response.json(1n)),
        thrown(() => Response.json({}, { status: 204 })),
        thrown(() => Response.redirect('relative')),
        thrown(() => Response.redirect('http://h', 200)),
        thrown(() => Response.redirect()),
        thrown(() => moved.headers.set('a', 'b')),
        thrown(() => Response.error().headers.append('a', 'b')),
      ];
    },
    [
      201,
      [
        ['content-type', 'application/json'],
        ['x', 'y'],
      ],
      { a: [1] },
      'own',
      307,
      'http://h/a%20b',
      null,
      302,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'RangeError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  'clone gives each its own copy': [
    async () => {
      const from = new Response('text', {
        status: 201,
        statusText: 's',
        headers: { a: 'b' },
      });
      const copy = from.clone();
      copy.headers.set('a', 'c');
      const stream = new Response(ReadableStream.from([Uint8Array.of(97)]));
      const second = stream.clone();
      const used = new Response('x');
      await used.text();
      const locked = new Response('x');
      locked.body.getReader();
      return [
        from.headers.get('a'),
        copy.status,
        copy.statusText,
        await from.text(),
        from.bodyUsed,
        copy.bodyUsed,
        await copy.text(),
        await stream.text(),
        await second.text(),
        thrown(() => used.clone()),
        thrown(() => locked.clone()),
      ];
    },
    [
      'b',
      201,
      's',
      'text',
      true,
      false,
      'text',
      'a',
      'a',
      'TypeError',
      'TypeError',
    ],
  ],
});
