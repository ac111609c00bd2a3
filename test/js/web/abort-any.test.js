'use strict';

/* global thrown, rejected */
const { AS_NODE, standard } = require('./support.js');

standard('AbortSignal.any', {
  'of nothing never aborts': [() => AbortSignal.any([]).aborted, false],
  'takes a sequence of signals': [
    () => [
      thrown(() => AbortSignal.any()),
      thrown(() => AbortSignal.any(null)),
      thrown(() => AbortSignal.any('')),
      thrown(() => AbortSignal.any([{}])),
      thrown(() => AbortSignal.any(new Set([AbortSignal.abort(1)])).reason),
    ],
    AS_NODE,
  ],
  'the first that is aborted gives the reason': [
    () => {
      const signal = AbortSignal.any([
        new AbortController().signal,
        AbortSignal.abort('a'),
        AbortSignal.abort('b'),
      ]);
      return [signal.aborted, signal.reason];
    },
    [true, 'a'],
  ],
  'follows each source, once': [
    () => {
      const controllers = [new AbortController(), new AbortController()];
      const signal = AbortSignal.any(controllers.map((c) => c.signal));
      let events = 0;
      signal.onabort = () => {
        events += 1;
      };
      controllers[1].abort('second');
      controllers[0].abort('first');
      return [signal.aborted, signal.reason, events];
    },
    [true, 'second', 1],
  ],
  'is another signal than its only source, and may be given it twice': [
    () => {
      const { signal } = new AbortController();
      const dependent = AbortSignal.any([signal, signal]);
      return [dependent !== signal, dependent.aborted];
    },
    [true, false],
  ],
  'signals of signals follow the first source': [
    () => {
      const controller = new AbortController();
      const one = AbortSignal.any([controller.signal]);
      const two = AbortSignal.any([one, new AbortController().signal]);
      controller.abort('r');
      return [two.aborted, two.reason, AbortSignal.any([two]).reason];
    },
    [true, 'r', 'r'],
  ],
  'a default reason is the same object everywhere': [
    () => {
      const controller = new AbortController();
      const dependent = AbortSignal.any([controller.signal]);
      controller.abort();
      return dependent.reason === controller.signal.reason;
    },
    true,
  ],
  'all are aborted before the first event': [
    () => {
      const controller = new AbortController();
      const a = AbortSignal.any([controller.signal]);
      const b = AbortSignal.any([controller.signal]);
      const c = AbortSignal.any([a]);
      const log = [];
      const note = (name) => () =>
        log.push(
          `${name} ${[controller.signal, a, b, c].every((s) => s.aborted)}`,
        );
      c.onabort = note('c');
      b.onabort = note('b');
      a.onabort = note('a');
      controller.signal.onabort = note('source');
      controller.abort();
      return log;
    },
    AS_NODE,
  ],
  'a dependent that aborted meanwhile has its own reason, and one event': [
    () => {
      const first = new AbortController();
      const second = new AbortController();
      const both = AbortSignal.any([first.signal, second.signal]);
      const log = [];
      both.onabort = () => log.push(both.reason);
      first.signal.onabort = () => second.abort('second');
      first.abort('first');
      return [log, both.reason, second.signal.reason];
    },
    AS_NODE,
  ],
  'a dependent made in a listener is aborted at once': [
    () => {
      const controller = new AbortController();
      let made;
      controller.signal.onabort = () => {
        made = AbortSignal.any([controller.signal]);
      };
      controller.abort('r');
      return [made.aborted, made.reason];
    },
    [true, 'r'],
  ],
  'works with timeout()': [
    async () => {
      const signal = AbortSignal.any([AbortSignal.timeout(5)]);
      await new Promise((resolve) => {
        signal.onabort = resolve;
      });
      return [signal.reason.name];
    },
    ['TimeoutError'],
  ],
  'a listener that throws stops nobody': [
    async () => {
      const errors = [];
      const keep = (event) => {
        errors.push(event.error.message);
        event.preventDefault();
      };
      addEventListener('error', keep);
      const controller = new AbortController();
      const dependent = AbortSignal.any([controller.signal]);
      const log = [];
      controller.signal.onabort = () => {
        throw new Error('mine');
      };
      dependent.onabort = () => log.push('dependent');
      controller.abort();
      await later();
      removeEventListener('error', keep);
      return [log, errors];
    },
    [['dependent'], ['mine']],
  ],
});

standard('signals elsewhere', {
  'a listener goes with its signal': [
    () => {
      const controller = new AbortController();
      const target = new EventTarget();
      let calls = 0;
      const count = () => {
        calls += 1;
      };
      target.addEventListener('x', count, { signal: controller.signal });
      target.dispatchEvent(new Event('x'));
      controller.abort();
      target.dispatchEvent(new Event('x'));
      target.addEventListener('x', count, { signal: controller.signal });
      target.dispatchEvent(new Event('x'));
      return calls;
    },
    1,
  ],
  'a pipe ends with the reason': [
    async () => {
      const reason = new RangeError('r');
      return rejected(
        new ReadableStream().pipeTo(new WritableStream(), {
          signal: AbortSignal.abort(reason),
        }),
      );
    },
    'RangeError',
  ],
});
