'use strict';

/* global later */
const { standard } = require('./support.js');

standard('the error event', {
  'tells where: of an error where it was made, else where it was reported': [
    () => {
      const log = [];
      const keep = (event) => {
        log.push([
          /^Uncaught ./.test(event.message),
          event.filename.length > 0,
          event.lineno > 0,
          event.colno > 0,
        ]);
        event.preventDefault();
      };
      addEventListener('error', keep);
      for (const value of [1, undefined, 'text', new TypeError(), {}]) {
        reportError(value);
      }
      removeEventListener('error', keep);
      return log;
    },
    Array.from({ length: 5 }, () => [true, true, true, true]),
  ],
  'names the script and the line of code that has a name': [
    () => {
      let place;
      const keep = (event) => {
        place = [event.filename, event.lineno, event.colno, event.message];
        event.preventDefault();
      };
      addEventListener('error', keep);
      const code =
        '\n  reportError(new Error("here"));\n//# sourceURL=named.js';
      // biome-ignore lint/security/noGlobalEval: a script with a name
      globalThis.eval(code);
      removeEventListener('error', keep);
      return place;
    },
    ['named.js', 2, 15, 'Uncaught Error: here'],
  ],
  'takes what has no text, and asks no object': [
    () => {
      const log = [];
      const keep = (event) => {
        log.push(event.message);
        event.preventDefault();
      };
      const curious = {
        toString: () => log.push('toString'),
        get name() {
          return log.push('name');
        },
        get message() {
          return log.push('message');
        },
        get stack() {
          return log.push('stack');
        },
      };
      addEventListener('error', keep);
      reportError(Symbol('s'));
      reportError(Object.create(null));
      reportError(curious);
      removeEventListener('error', keep);
      return log;
    },
    ['Uncaught Symbol(s)', 'Uncaught #<Object>', 'Uncaught #<Object>'],
  ],
});

standard("the global object's handlers", {
  'onerror gets what a dispatched ErrorEvent says': [
    () => {
      const log = [];
      globalThis.onerror = (...args) => {
        log.push(args);
        return true;
      };
      const event = new ErrorEvent('error', {
        message: 'm',
        filename: 'f',
        lineno: 1,
        colno: 2,
        error: 3,
        cancelable: true,
      });
      log.push(dispatchEvent(event));
      globalThis.onerror = (...args) => {
        log.push(args.length);
        return true;
      };
      log.push(dispatchEvent(new Event('error', { cancelable: true })));
      globalThis.onerror = null;
      return log;
    },
    [['m', 'f', 1, 2, 3], false, 1, true],
  ],
  'false of the others means prevented': [
    () => {
      globalThis.onunhandledrejection = () => false;
      const event = new PromiseRejectionEvent('unhandledrejection', {
        promise: Promise.resolve(),
        cancelable: true,
      });
      const answer = dispatchEvent(event);
      globalThis.onunhandledrejection = null;
      return answer;
    },
    false,
  ],
  'they have their place among the listeners': [
    () => {
      const log = [];
      const listen = () => log.push('listener');
      const stop = (event) => event.stopImmediatePropagation();
      globalThis.onerror = function (message) {
        log.push(message, this === globalThis);
      };
      addEventListener('error', listen);
      dispatchEvent(new ErrorEvent('error', { message: 'one' }));
      addEventListener('error', stop, true);
      dispatchEvent(new ErrorEvent('error', { message: 'two' }));
      removeEventListener('error', stop, true);
      removeEventListener('error', listen);
      globalThis.onerror = null;
      return log;
    },
    ['one', true, 'listener', 'two', true, 'listener'],
  ],
  'a handler runs while the event is dispatched': [
    () => {
      let seen;
      globalThis.onrejectionhandled = ({ eventPhase, currentTarget }) => {
        seen = [eventPhase, currentTarget === globalThis];
      };
      const promise = Promise.resolve();
      dispatchEvent(new PromiseRejectionEvent('rejectionhandled', { promise }));
      globalThis.onrejectionhandled = null;
      return seen;
    },
    [2, true],
  ],
  'what is no object means null': [
    () => {
      const kept = {};
      return [5, 'x', undefined, null, kept].map((value) => {
        globalThis.onerror = value;
        const { onerror } = globalThis;
        globalThis.onerror = null;
        return onerror === kept ? 'kept' : onerror;
      });
    },
    [null, null, null, null, 'kept'],
  ],
});

standard('rejections', {
  'an error of a listener is an error event': [
    async () => {
      const log = [];
      globalThis.onerror = (message) => {
        log.push(message);
        return true;
      };
      globalThis.onunhandledrejection = (event) => {
        event.preventDefault();
        throw new Error('first');
      };
      globalThis.onrejectionhandled = () => {
        throw new Error('second');
      };
      const promise = Promise.reject(1);
      await later(5);
      promise.catch(() => {});
      await later(5);
      globalThis.onerror = null;
      globalThis.onunhandledrejection = null;
      globalThis.onrejectionhandled = null;
      return log;
    },
    ['Uncaught Error: first', 'Uncaught Error: second'],
  ],
  'who handles it in the listener is in time': [
    async () => {
      const log = [];
      globalThis.onunhandledrejection = (event) => {
        event.preventDefault();
        log.push('unhandled');
        event.promise.catch(() => log.push('caught'));
      };
      globalThis.onrejectionhandled = () => log.push('handled');
      Promise.reject(1);
      await later(10);
      globalThis.onunhandledrejection = null;
      globalThis.onrejectionhandled = null;
      return log;
    },
    ['unhandled', 'caught'],
  ],
});
