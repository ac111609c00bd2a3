'use strict';

/* global thrown */
const { AS_NODE, standard } = require('./support.js');

standard('EventTarget', {
  'calls in order, each callback and phase once': [
    () => {
      const log = [];
      const target = new EventTarget();
      const a = () => log.push('a');
      const b = () => log.push('b');
      target.addEventListener('x', a);
      target.addEventListener('x', b, true);
      target.addEventListener('x', a);
      target.addEventListener('x', a, { capture: true });
      target.addEventListener('x', a, { capture: true, once: true });
      target.dispatchEvent(new Event('x'));
      return log;
    },
    AS_NODE,
  ],
  'removing needs the same capture only': [
    () => {
      const log = [];
      const target = new EventTarget();
      const a = () => log.push('a');
      target.addEventListener('x', a, { passive: true, once: true });
      target.removeEventListener('x', a, true);
      target.dispatchEvent(new Event('x'));
      target.addEventListener('x', a, true);
      target.removeEventListener('x', a);
      target.removeEventListener('x', a, { capture: true });
      target.removeEventListener('y', a);
      target.dispatchEvent(new Event('x'));
      return log;
    },
    AS_NODE,
  ],
  'a listener added meanwhile waits, one removed meanwhile is not called': [
    () => {
      const log = [];
      const target = new EventTarget();
      const late = () => log.push('late');
      const gone = () => log.push('gone');
      target.addEventListener('x', () => {
        log.push('first');
        target.addEventListener('x', late);
        target.removeEventListener('x', gone);
      });
      target.addEventListener('x', gone);
      target.dispatchEvent(new Event('x'));
      target.dispatchEvent(new Event('x'));
      return log;
    },
    AS_NODE,
  ],
  'removed and added again meanwhile: a new one': [
    () => {
      const log = [];
      const target = new EventTarget();
      const again = () => log.push('again');
      target.addEventListener(
        'x',
        () => {
          target.removeEventListener('x', again);
          target.addEventListener('x', again);
        },
        { once: true },
      );
      target.addEventListener('x', again);
      target.dispatchEvent(new Event('x'));
      log.push('-');
      target.dispatchEvent(new Event('x'));
      return log;
    },
    ['-', 'again'],
  ],
  'once is removed before it is called': [
    () => {
      let calls = 0;
      const target = new EventTarget();
      target.addEventListener(
        'x',
        () => {
          calls += 1;
          if (calls < 5) target.dispatchEvent(new Event('x'));
        },
        { once: true },
      );
      target.dispatchEvent(new Event('x'));
      target.dispatchEvent(new Event('x'));
      return calls;
    },
    1,
  ],
  'handleEvent is looked up at each call, with the object as this': [
    () => {
      const log = [];
      const target = new EventTarget();
      const listener = {
        get handleEvent() {
          log.push('get');
          return function (event) {
            log.push([this === listener, event.type]);
          };
        },
      };
      target.addEventListener('x', listener);
      log.push('added');
      target.dispatchEvent(new Event('x'));
      target.dispatchEvent(new Event('x'));
      return log;
    },
    AS_NODE,
  ],
  'a function is called with the target as this, its handleEvent is not': [
    () => {
      const target = new EventTarget();
      let same;
      const listener = function () {
        same = this === target;
      };
      listener.handleEvent = () => {
        same = 'no';
      };
      target.addEventListener('x', listener);
      target.dispatchEvent(new Event('x'));
      return same;
    },
    true,
  ],
  'what is no function as handleEvent is an error, reported': [
    async () => {
      const errors = [];
      const keep = (event) => {
        errors.push(event.error.name);
        event.preventDefault();
      };
      addEventListener('error', keep);
      const target = new EventTarget();
      const log = [];
      target.addEventListener('x', {});
      target.addEventListener('x', { handleEvent: 5 });
      target.addEventListener('x', () => log.push('still'));
      target.dispatchEvent(new Event('x'));
      await later();
      removeEventListener('error', keep);
      return [errors, log];
    },
    [['TypeError'], ['still']],
  ],
  'null is no listener, other values are an error': [
    () => {
      const target = new EventTarget();
      return [
        target.addEventListener('x', null),
        target.addEventListener('x', undefined),
        target.removeEventListener('x', null),
        thrown(() => target.addEventListener('x', 5)),
        thrown(() => target.addEventListener('x', 'f')),
        thrown(() => target.addEventListener('x')),
        thrown(() => target.removeEventListener('x')),
        thrown(() => target.removeEventListener('x', 5)),
        target.dispatchEvent(new Event('x')),
      ];
    },
    [
      undefined,
      undefined,
      undefined,
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      true,
    ],
  ],
  'the options are read once, each': [
    () => {
      const read = [];
      const options = {};
      for (const name of ['capture', 'once', 'passive', 'signal']) {
        Object.defineProperty(options, name, {
          get() {
            read.push(name);
            return undefined;
          },
        });
      }
      new EventTarget().addEventListener('x', () => {}, options);
      const added = read.splice(0);
      new EventTarget().removeEventListener('x', () => {}, options);
      return [added, read];
    },
    AS_NODE,
  ],
  'a signal must be one': [
    () => [
      thrown(() =>
        new EventTarget().addEventListener('x', () => {}, { signal: null }),
      ),
      thrown(() =>
        new EventTarget().addEventListener('x', () => {}, { signal: {} }),
      ),
      thrown(() =>
        new EventTarget().addEventListener('x', null, { signal: null }),
      ),
    ],
    ['TypeError', 'TypeError', 'TypeError'],
  ],
  'a signal may end while listeners run': [
    () => {
      const log = [];
      const target = new EventTarget();
      const controller = new AbortController();
      target.addEventListener(
        'x',
        () => {
          log.push(1);
          controller.abort();
        },
        { signal: controller.signal },
      );
      target.addEventListener('x', () => log.push(2), {
        signal: controller.signal,
      });
      target.addEventListener('x', () => log.push(3));
      target.dispatchEvent(new Event('x'));
      return log;
    },
    [1, 3],
  ],
  'stopImmediatePropagation ends it, stopPropagation does not end the target': [
    () => {
      const log = [];
      const target = new EventTarget();
      target.addEventListener('x', (event) => {
        log.push(1);
        event.stopPropagation();
      });
      target.addEventListener('x', (event) => {
        log.push(2);
        event.stopImmediatePropagation();
      });
      target.addEventListener('x', () => log.push(3));
      target.dispatchEvent(new Event('x'));
      return log;
    },
    [1, 2],
  ],
  'stopPropagation of a capturing listener spares the others': [
    () => {
      const log = [];
      const target = new EventTarget();
      target.addEventListener('x', () => log.push('bubble'));
      target.addEventListener(
        'x',
        (event) => {
          log.push('capture');
          event.stopPropagation();
        },
        true,
      );
      target.dispatchEvent(new Event('x', { bubbles: true }));
      return log;
    },
    AS_NODE,
  ],
  'subclasses are targets, and the global object is one': [
    () => {
      class Mine extends EventTarget {
        constructor() {
          super();
          this.own = 1;
        }
      }
      const target = new Mine();
      const log = [];
      target.addEventListener('x', (event) => log.push(event.target.own));
      target.dispatchEvent(new Event('x'));
      const listener = (event) =>
        log.push([
          event.target === globalThis,
          event.currentTarget === globalThis,
        ]);
      addEventListener('own', listener);
      dispatchEvent(new Event('own'));
      removeEventListener('own', listener);
      dispatchEvent(new Event('own'));
      return [log, thrown(() => EventTarget())];
    },
    [[1, [true, true]], 'TypeError'],
  ],
  'methods called without this are those of the global object': [
    () => {
      const {
        addEventListener: add,
        removeEventListener: remove,
        dispatchEvent: dispatch,
      } = EventTarget.prototype;
      return [
        thrown(() => add.call({}, 'x', () => {})),
        thrown(() => remove.call({}, 'x', () => {})),
        thrown(() => dispatch.call({}, new Event('x'))),
      ];
    },
    ['TypeError', 'TypeError', 'TypeError'],
  ],
});
