'use strict';

/* global thrown, later */
const { AS_NODE, standard } = require('./support.js');

standard('AbortController', {
  'has one signal for life': [
    () => {
      const controller = new AbortController();
      return [
        [controller.signal].includes(controller.signal),
        controller.signal instanceof AbortSignal,
        controller.signal.aborted,
        controller.signal.reason,
        `${controller}`,
        `${controller.signal}`,
      ];
    },
    [
      true,
      true,
      false,
      undefined,
      '[object AbortController]',
      '[object AbortSignal]',
    ],
  ],
  'the first reason stays, and undefined means an AbortError': [
    () => {
      const one = new AbortController();
      one.abort('first');
      one.abort('second');
      const two = new AbortController();
      two.abort(undefined);
      const three = new AbortController();
      three.abort(null);
      return [
        one.signal.reason,
        two.signal.reason instanceof DOMException,
        two.signal.reason.name,
        two.signal.reason.code,
        [two.signal.reason].includes(two.signal.reason),
        three.signal.reason,
      ];
    },
    ['first', true, 'AbortError', 20, true, null],
  ],
  'the event: once, sync, trusted, neither bubbling nor cancelable': [
    () => {
      const log = [];
      const controller = new AbortController();
      controller.signal.addEventListener('abort', (event) => {
        log.push([
          event.type,
          event.isTrusted,
          event.bubbles,
          event.cancelable,
          event.target === controller.signal,
          controller.signal.aborted,
        ]);
      });
      controller.abort();
      controller.abort();
      return log;
    },
    [['abort', true, false, false, true, true]],
  ],
  'onabort is called in the order of its setting': [
    () => {
      const log = [];
      const controller = new AbortController();
      const { signal } = controller;
      signal.addEventListener('abort', () => log.push('before'));
      signal.onabort = () => log.push('old');
      signal.addEventListener('abort', () => log.push('after'));
      signal.onabort = function (event) {
        log.push(['new', this === signal, event.constructor.name]);
      };
      controller.abort();
      return [log, typeof signal.onabort];
    },
    [['before', ['new', true, 'Event'], 'after'], 'function'],
  ],
  'onabort: what is no object means null, an object is kept': [
    () => {
      const { signal } = new AbortController();
      const object = {};
      signal.onabort = object;
      const kept = signal.onabort === object;
      signal.onabort = 5;
      return [kept, signal.onabort];
    },
    AS_NODE,
  ],
  'the constructors and methods check who they are given': [
    () => [
      thrown(() => new AbortSignal()),
      thrown(() => AbortController()),
      thrown(() => AbortController.prototype.signal),
      thrown(() => AbortController.prototype.abort.call({})),
      thrown(() => AbortSignal.prototype.aborted),
      thrown(() => AbortSignal.prototype.throwIfAborted.call({})),
    ],
    Array.from({ length: 6 }, () => 'TypeError'),
  ],
});

standard('AbortSignal', {
  'abort() is aborted from the start, without an event': [
    () => {
      let events = 0;
      const signal = AbortSignal.abort();
      signal.onabort = () => {
        events += 1;
      };
      return [
        signal.aborted,
        signal.reason.name,
        AbortSignal.abort('r').reason,
        AbortSignal.abort(undefined).reason.name,
        AbortSignal.abort(null).reason,
        events,
      ];
    },
    [true, 'AbortError', 'r', 'AbortError', null, 0],
  ],
  'throwIfAborted throws the reason itself': [
    () => [
      thrown(() => new AbortController().signal.throwIfAborted()),
      thrown(() => AbortSignal.abort(3).throwIfAborted()),
      thrown(() => AbortSignal.abort(null).throwIfAborted()),
    ],
    [
      ['none', undefined],
      ['value', 3],
      ['value', null],
    ],
  ],
  'timeout() aborts with a TimeoutError in a task': [
    async () => {
      const signal = AbortSignal.timeout(5);
      const before = signal.aborted;
      const event = await new Promise((resolve) => {
        signal.onabort = resolve;
      });
      return [
        before,
        signal.aborted,
        signal.reason instanceof DOMException,
        signal.reason.name,
        signal.reason.code,
        event.isTrusted,
      ];
    },
    [false, true, true, 'TimeoutError', 23, true],
  ],
  'timeouts fire in order': [
    async () => {
      const log = [];
      // The first call loads Node's text, which may take its time.
      AbortSignal.timeout(0);
      AbortSignal.timeout(300).onabort = () => log.push('late');
      AbortSignal.timeout(1).onabort = () => log.push('soon');
      await new Promise((resolve) => {
        AbortSignal.timeout(300).onabort = () => resolve(log.push('later'));
      });
      return log;
    },
    ['soon', 'late', 'later'],
  ],
  'timeout() takes an unsigned number within the exact range': [
    () => [
      thrown(() => AbortSignal.timeout()),
      thrown(() => AbortSignal.timeout(-1)),
      thrown(() => AbortSignal.timeout(2 ** 53)),
      thrown(() => AbortSignal.timeout(Number.NaN)),
      thrown(() => AbortSignal.timeout(Number.POSITIVE_INFINITY)),
      thrown(() => AbortSignal.timeout(0.9).aborted),
      thrown(() => AbortSignal.timeout('5').aborted),
    ],
    AS_NODE,
  ],
});
