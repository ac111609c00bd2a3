'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('atob and btoa', {
  'forgiving decoding': [
    () =>
      [
        '',
        ' ',
        'YQ==',
        'YQ',
        'Y Q\n=\t=',
        'YWI=',
        'YWJj',
        '/+8',
        'ab\fcd',
        null,
        undefined,
        12,
        Number.NaN,
      ].map((text) => {
        const answer = thrown(() => atob(text));
        return Array.isArray(answer)
          ? [...answer[1]].map((c) => c.charCodeAt(0)).join()
          : answer;
      }),
    [
      '',
      '',
      '97',
      '97',
      '97',
      '97,98',
      '97,98,99',
      '255,239',
      '105,183,29',
      '158,233,101',
      'DOM InvalidCharacterError',
      '215',
      '53,163',
    ],
  ],
  'what is refused': [
    () =>
      [
        'a',
        'abcde',
        '=',
        'a=',
        'ab=',
        'a===',
        'ab===',
        'abc==',
        'YQ=Q',
        'ab-_',
        '\u00a0',
        'a\u000bb=',
        'abcd=',
        'ab\0c',
      ].map((text) => thrown(() => atob(text))),
    Array.from({ length: 14 }, () => 'DOM InvalidCharacterError'),
  ],
  'btoa takes bytes only': [
    () => [
      btoa(''),
      btoa('a'),
      btoa('ab'),
      btoa('abc'),
      btoa('\u00ff\u00e9'),
      btoa(null),
      btoa(undefined),
      btoa(1e3),
      thrown(() => btoa('\u0100')),
      thrown(() => btoa()),
      thrown(() => atob()),
      thrown(() => btoa(Symbol('s'))),
    ],
    [
      '',
      'YQ==',
      'YWI=',
      'YWJj',
      '/+k=',
      'bnVsbA==',
      'dW5kZWZpbmVk',
      'MTAwMA==',
      'DOM InvalidCharacterError',
      'TypeError',
      'TypeError',
      'TypeError',
    ],
  ],
});
