'use strict';

/* global thrown */
const { standard } = require('./support.js');

standard('what Blob and File are given', {
  'numbers are rounded to the nearest, of two to the even one': [
    () => {
      const blob = new Blob(['abcd']);
      const starts = [0.5, 1.5, 2.5, 3.5, -0.5, -1.5, NaN, Infinity];
      return Promise.all(starts.map((start) => blob.slice(start).text()));
    },
    ['abcd', 'cd', 'cd', '', 'abcd', 'cd', 'abcd', ''],
  ],
  'parts are converted while they are iterated, options after them': [
    async () => {
      const log = [];
      const part = (text) => ({
        toString() {
          log.push(text);
          return text;
        },
      });
      const options = {
        get type() {
          log.push('type');
          return 'A/B';
        },
        get endings() {
          log.push('endings');
          return 'native';
        },
      };
      const parts = [part('a\r\n'), part('b')];
      const shrinking = [
        {
          toString() {
            shrinking.pop();
            return 'first';
          },
        },
        'second',
      ];
      const blob = new Blob(parts, options);
      return [
        log,
        await blob.text(),
        blob.type,
        await new Blob(shrinking).text(),
        thrown(() => new Blob([new Uint8Array(new SharedArrayBuffer(1))])),
      ];
    },
    [['a\r\n', 'b', 'endings', 'type'], 'a\nb', 'a/b', 'first', 'TypeError'],
  ],
  "a File's arguments are converted in their order": [
    () => {
      const log = [];
      const says = (text) => ({
        toString() {
          log.push(text);
          return text;
        },
      });
      const file = new File([says('part')], says('name'), {
        get lastModified() {
          log.push('lastModified');
          return 1.9;
        },
        get type() {
          log.push('type');
          return '';
        },
      });
      const modified = [Infinity, NaN, -1.5, '7', null, 2 ** 64 + 4096];
      const { get } = Object.getOwnPropertyDescriptor(
        File.prototype,
        'lastModified',
      );
      return [
        log,
        file.lastModified,
        modified.map(
          (lastModified) =>
            `${new File([], '', { lastModified }).lastModified}`,
        ),
        thrown(() => new File(null, 'x')),
        // As in Node; the standard's has to have parts.
        new File(undefined, 'x').size,
        thrown(() => get.call({})),
      ];
    },
    [
      // As in Node, which reads the name last and makes no whole numbers.
      ['part', 'type', 'lastModified', 'name'],
      1.9,
      ['Infinity', '0', '-1.5', '7', '0', `${2 ** 64 + 4096}`],
      'TypeError',
      0,
      'TypeError',
    ],
  ],
});
