'use strict';

/* global thrown, later */
const { standard } = require('./support.js');

standard('timers', {
  'equal delays in their order, shorter ones first': [
    async () => {
      const log = [];
      setTimeout(() => log.push('b'), 5);
      setTimeout(() => log.push('a'), 1);
      setTimeout(() => log.push('c'), 5);
      await later(30);
      return log;
    },
    ['a', 'b', 'c'],
  ],
  'arguments are handed over, this is not the caller': [
    () =>
      new Promise((resolve) => {
        setTimeout((...args) => resolve(args), 1, 1, 'x', null);
      }),
    [1, 'x', null],
  ],
  'negative, missing and huge delays mean soon': [
    async () => {
      const log = [];
      setTimeout(() => log.push('negative'), -100);
      setTimeout(() => log.push('none'));
      setTimeout(() => log.push('text'), 'x');
      setTimeout(() => log.push('huge'), 2 ** 32);
      const id = setInterval(() => {
        log.push('interval');
        clearInterval(id);
      });
      await later(30);
      return log.sort();
    },
    ['huge', 'interval', 'negative', 'none', 'text'],
  ],
  'each clear works on the other kind': [
    async () => {
      let calls = 0;
      const count = () => {
        calls += 1;
      };
      clearInterval(setTimeout(count, 1));
      clearTimeout(setInterval(count, 1));
      clearTimeout(undefined);
      clearTimeout(null);
      clearTimeout(-1);
      clearTimeout('x');
      clearTimeout({});
      clearTimeout(Number(setTimeout(count, 1)));
      await later(10);
      return calls;
    },
    0,
  ],
  'an interval goes on until it is cleared, from its callback too': [
    () =>
      new Promise((resolve) => {
        let calls = 0;
        const id = setInterval(() => {
          calls += 1;
          if (calls < 3) return;
          clearInterval(id);
          setTimeout(() => resolve(calls), 10);
        }, 1);
      }),
    3,
  ],
  'one timer may clear another that is due as well': [
    async () => {
      const log = [];
      let second;
      setTimeout(() => {
        log.push(1);
        clearTimeout(second);
      }, 1);
      second = setTimeout(() => log.push(2), 1);
      await later(10);
      return log;
    },
    [1],
  ],
  'microtasks come before the next timer': [
    async () => {
      const log = [];
      setTimeout(() => {
        log.push('t1');
        Promise.resolve().then(() => log.push('m1'));
        queueMicrotask(() => log.push('m2'));
      }, 1);
      setTimeout(() => log.push('t2'), 1);
      await later(15);
      return log;
    },
    ['t1', 'm1', 'm2', 't2'],
  ],
  'a callback that throws is reported, the next one runs': [
    async () => {
      const log = [];
      const keep = (event) => {
        log.push(event.error.message, event.type, event.cancelable);
        event.preventDefault();
      };
      addEventListener('error', keep);
      setTimeout(() => {
        throw new Error('t');
      }, 1);
      setTimeout(() => log.push('next'), 2);
      await later(15);
      removeEventListener('error', keep);
      return log;
    },
    ['t', 'error', true, 'next'],
  ],
  'handlers are functions, delays are numbers': [
    () =>
      [undefined, null, 5, true, 'text', {}]
        .map((handler) => thrown(() => setTimeout(handler, 1)))
        .concat(
          thrown(() => setTimeout()),
          thrown(() => setTimeout(() => {}, 1n)),
          thrown(() => setInterval()),
          thrown(() => queueMicrotask()),
          thrown(() => queueMicrotask({})),
          thrown(() => queueMicrotask('x')),
        ),
    Array.from({ length: 12 }, () => 'TypeError'),
  ],
});
