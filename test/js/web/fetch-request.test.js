'use strict';

/* global thrown, rejected */
const { standard } = require('./support.js');

standard('Request', {
  'starts with what its options say': [
    () => {
      const names =
        'method url destination referrer referrerPolicy mode credentials cache redirect integrity keepalive bodyUsed'.split(
          ' ',
        );
      const read = (request) => names.map((name) => request[name]);
      return [
        read(new Request('http://h/a b')),
        read(
          new Request(new URL('http://h'), {
            method: 'post',
            referrer: 'http://r/',
            referrerPolicy: 'origin',
            mode: 'same-origin',
            credentials: 'omit',
            cache: 'only-if-cached',
            redirect: 'manual',
            integrity: 'i',
            keepalive: 1,
          }),
        ),
        `${new Request('http://h')}`,
        new Request('http://h').signal.aborted,
        new Request('http://h').body,
      ];
    },
    [
      [
        'GET',
        'http://h/a%20b',
        '',
        'about:client',
        '',
        'cors',
        'same-origin',
        'default',
        'follow',
        '',
        false,
        false,
      ],
      [
        'POST',
        'http://h/',
        '',
        'http://r/',
        'origin',
        'same-origin',
        'omit',
        'only-if-cached',
        'manual',
        'i',
        true,
        false,
      ],
      '[object Request]',
      false,
      null,
    ],
  ],
  'methods: some become upper case, some are forbidden': [
    () =>
      [
        'get',
        'Head',
        'options',
        'delete',
        'put',
        'patch',
        'custom',
        'CONNECT',
        'trace',
        'Track',
        'a b',
        '',
      ].map((method) => {
        const answer = thrown(() => new Request('http://h', { method }).method);
        return Array.isArray(answer) ? answer[1] : answer;
      }),
    [
      'GET',
      'HEAD',
      'OPTIONS',
      'DELETE',
      'PUT',
      'patch',
      'custom',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
  'the arguments are checked': [
    () =>
      [
        () => new Request(),
        () => new Request('relative'),
        () => new Request('http://u:p@h'),
        () => Request('http://h'),
        () => new Request('http://h', 5),
        () => new Request('http://h', { window: 1 }),
        () => new Request('http://h', { mode: 'navigate' }),
        () => new Request('http://h', { mode: 'x' }),
        () => new Request('http://h', { cache: 'x' }),
        () => new Request('http://h', { redirect: 'x' }),
        () => new Request('http://h', { credentials: 'x' }),
        () => new Request('http://h', { referrerPolicy: 'x' }),
        () => new Request('http://h', { cache: 'only-if-cached' }),
        () => new Request('http://h', { signal: {} }),
        () => new Request('http://h', { body: 'x' }),
        () => new Request('http://h', { method: 'HEAD', body: '' }),
        () =>
          new Request('http://h', {
            method: 'POST',
            body: new ReadableStream(),
          }),
        () => new Request('http://h', { method: 'POST', duplex: 'full' }),
        () => new Request('http://h', { headers: { 'a b': 'c' } }),
        () => Request.prototype.url,
        () => Request.prototype.clone.call({}),
      ].map(thrown),
    Array.from({ length: 21 }, () => 'TypeError'),
  ],
  'a request of a request takes its body and may change the rest': [
    async () => {
      const from = new Request('http://h/x', {
        method: 'POST',
        body: 'text',
        headers: { a: 'b' },
      });
      const to = new Request(from, { headers: { c: 'd' } });
      const log = [
        from.bodyUsed,
        to.method,
        to.url,
        [...to.headers],
        await to.text(),
        thrown(() => new Request(from)),
      ];
      const other = new Request('http://h', { method: 'POST', body: 'old' });
      const replaced = new Request(other, { body: 'new' });
      log.push(
        await replaced.text(),
        other.bodyUsed,
        thrown(
          () =>
            new Request(
              new Request('http://h', { method: 'POST', body: 'x' }),
              { method: 'GET' },
            ),
        ),
      );
      const copied = new Request(
        new Request('http://h', { headers: { a: 'b' } }),
      );
      log.push([...copied.headers]);
      return log;
    },
    [
      true,
      'POST',
      'http://h/x',
      [['c', 'd']],
      'text',
      'TypeError',
      'new',
      false,
      'TypeError',
      [['a', 'b']],
    ],
  ],
  'its signal follows the given one': [
    () => {
      const controller = new AbortController();
      const request = new Request('http://h', { signal: controller.signal });
      const second = new Request(request);
      const third = new Request(request, { signal: null });
      const copy = request.clone();
      controller.abort('r');
      return [
        request.signal !== controller.signal,
        request.signal.reason,
        second.signal.reason,
        third.signal.aborted,
        copy.signal.reason,
        new Request('http://h', { signal: AbortSignal.abort() }).signal.aborted,
      ];
    },
    [true, 'r', 'r', false, 'r', true],
  ],
  'bodies and clones': [
    async () => {
      const form = new Request('http://h', {
        method: 'POST',
        body: new URLSearchParams('a=b'),
      });
      const copy = form.clone();
      const stream = new Request('http://h', {
        method: 'POST',
        body: new Blob(['s']).stream(),
        duplex: 'half',
      });
      return [
        form.headers.get('content-type'),
        [...(await form.formData())],
        await copy.text(),
        await stream.text(),
        thrown(() => form.clone()),
        await rejected(form.text()),
        stream.duplex,
      ];
    },
    [
      'application/x-www-form-urlencoded;charset=UTF-8',
      [['a', 'b']],
      'a=b',
      's',
      'TypeError',
      'TypeError',
      'half',
    ],
  ],
  'there is no fetch': [
    () => [typeof fetch, 'fetch' in globalThis],
    ['undefined', false],
  ],
});
