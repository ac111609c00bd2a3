'use strict';

/* global thrown, later */
const { standard } = require('./support.js');

standard('queueMicrotask', {
  'runs in the order of promise jobs, without arguments': [
    async () => {
      const log = [];
      queueMicrotask((...args) => log.push(args.length));
      Promise.resolve().then(() => log.push('then'));
      queueMicrotask(() => {
        log.push('first');
        queueMicrotask(() => log.push('inner'));
      });
      await later(1);
      return [log, queueMicrotask(() => {})];
    },
    [[0, 'then', 'first', 'inner'], undefined],
  ],
  'what it throws is reported': [
    async () => {
      const log = [];
      const keep = (event) => {
        log.push(event.error);
        event.preventDefault();
      };
      addEventListener('error', keep);
      queueMicrotask(() => {
        throw 5;
      });
      await later(1);
      removeEventListener('error', keep);
      return log;
    },
    [5],
  ],
});

standard('reportError and rejections', {
  'reportError fires error at once, with the value itself': [
    () => {
      const log = [];
      const value = { x: 1 };
      const keep = (event) => {
        log.push(
          event instanceof ErrorEvent,
          event.error === value,
          event.isTrusted,
          event.target === globalThis,
          event.bubbles,
        );
        event.preventDefault();
      };
      addEventListener('error', keep);
      reportError(value);
      log.push('after');
      removeEventListener('error', keep);
      return [log, thrown(() => reportError())];
    },
    [[true, true, true, true, false, 'after'], 'TypeError'],
  ],
  'onerror has five arguments, and true means it is done': [
    () => {
      const log = [];
      globalThis.onerror = (...args) => {
        log.push(args.length, args[4].message);
        return true;
      };
      reportError(new Error('five'));
      globalThis.onerror = null;
      return log;
    },
    [5, 'five'],
  ],
  'unhandledrejection comes after the microtasks, once for each': [
    async () => {
      const log = [];
      const keep = (event) => {
        log.push(
          `unhandled ${event.reason} ${event.promise instanceof Promise} ${event.cancelable}`,
        );
        event.preventDefault();
      };
      addEventListener('unhandledrejection', keep);
      Promise.reject('one');
      const caught = Promise.reject('two');
      queueMicrotask(() => {
        log.push('microtask');
        caught.catch(() => {});
      });
      Promise.reject('three');
      await later(15);
      removeEventListener('unhandledrejection', keep);
      return log;
    },
    ['microtask', 'unhandled one true true', 'unhandled three true true'],
  ],
  'rejectionhandled comes when somebody cares later': [
    async () => {
      const log = [];
      const keep = (event) => event.preventDefault();
      const handled = (event) =>
        log.push(event.type, event.reason, event.cancelable);
      addEventListener('unhandledrejection', keep);
      addEventListener('rejectionhandled', handled);
      const promise = Promise.reject('late');
      await later(5);
      promise.catch(() => {});
      await later(5);
      removeEventListener('unhandledrejection', keep);
      removeEventListener('rejectionhandled', handled);
      return log;
    },
    ['rejectionhandled', 'late', false],
  ],
});
