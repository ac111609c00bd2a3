'use strict';

/* global thrown */
const { AS_NODE, standard } = require('./support.js');

standard('Event', {
  'starts with what its dictionary says': [
    () => {
      const KEYS = [
        'type',
        'bubbles',
        'cancelable',
        'composed',
        'defaultPrevented',
        'returnValue',
        'cancelBubble',
        'eventPhase',
        'target',
        'srcElement',
        'currentTarget',
        'isTrusted',
      ];
      const read = (event) => KEYS.map((key) => event[key]);
      return [
        read(new Event('a')),
        read(new Event('', { bubbles: 1, cancelable: true, composed: 'x' })),
        read(new Event(undefined, null)),
      ];
    },
    [
      [
        'a',
        false,
        false,
        false,
        false,
        true,
        false,
        0,
        null,
        null,
        null,
        false,
      ],
      ['', true, true, true, false, true, false, 0, null, null, null, false],
      [
        'undefined',
        false,
        false,
        false,
        false,
        true,
        false,
        0,
        null,
        null,
        null,
        false,
      ],
    ],
  ],
  'the constructor checks its arguments': [
    () => [
      thrown(() => new Event()),
      thrown(() => Event('x')),
      thrown(() => new Event('x', 1)),
      thrown(() => new Event(Symbol('s'))),
      thrown(() => new CustomEvent()),
      thrown(() => new EventTarget().dispatchEvent({})),
      thrown(() => new EventTarget().dispatchEvent(null)),
      thrown(() => new EventTarget().dispatchEvent()),
    ],
    Array.from({ length: 8 }, () => 'TypeError'),
  ],
  'phases are constants of class and instance': [
    () =>
      [
        Event.NONE,
        Event.CAPTURING_PHASE,
        Event.AT_TARGET,
        Event.BUBBLING_PHASE,
        new Event('x').AT_TARGET,
        delete Event.AT_TARGET,
        Event.AT_TARGET,
      ].join(),
    AS_NODE,
  ],
  'isTrusted is an accessor that stays': [
    () => {
      const holder = [new Event('x'), Event.prototype].find((one) =>
        Object.hasOwn(one, 'isTrusted'),
      );
      const one = Object.getOwnPropertyDescriptor(holder, 'isTrusted');
      return [typeof one.get, one.set, one.enumerable, one.configurable];
    },
    AS_NODE,
  ],
  'timeStamp is of the clock of performance': [
    () => {
      const before = performance.now();
      const { timeStamp } = new Event('x');
      return timeStamp >= before - 1 && timeStamp <= performance.now() + 1;
    },
    true,
  ],
  'preventDefault only works where it is cancelable and not passive': [
    () => {
      const outcome = (cancelable, passive) => {
        const target = new EventTarget();
        const event = new Event('x', { cancelable });
        target.addEventListener('x', (e) => e.preventDefault(), { passive });
        return [
          target.dispatchEvent(event),
          event.defaultPrevented,
          event.returnValue,
        ];
      };
      return [outcome(true, false), outcome(true, true), outcome(false, false)];
    },
    AS_NODE,
  ],
  'returnValue and cancelBubble only set': [
    () => {
      const event = new Event('x', { cancelable: true });
      event.returnValue = false;
      event.returnValue = true;
      event.cancelBubble = true;
      event.cancelBubble = false;
      return [event.returnValue, event.defaultPrevented, event.cancelBubble];
    },
    AS_NODE,
  ],
  'initEvent starts over, but not while it is dispatched': [
    () => {
      const event = new Event('x', { cancelable: true });
      event.preventDefault();
      event.initEvent('y', true, false);
      const first = [
        event.type,
        event.bubbles,
        event.cancelable,
        event.defaultPrevented,
      ];
      const target = new EventTarget();
      target.addEventListener('y', (e) => e.initEvent('z'));
      target.dispatchEvent(event);
      return [first, event.type, thrown(() => event.initEvent())];
    },
    [['y', true, false, false], 'y', 'TypeError'],
  ],
  'composedPath is the target while it runs, and empty after': [
    () => {
      const target = new EventTarget();
      const event = new Event('x');
      let during;
      target.addEventListener('x', () => {
        const path = event.composedPath();
        during = [
          path.length,
          path[0] === target,
          event.eventPhase,
          event.currentTarget === target,
        ];
      });
      target.dispatchEvent(event);
      return [
        during,
        event.composedPath(),
        event.eventPhase,
        event.currentTarget,
        event.target === target,
      ];
    },
    [[1, true, 2, true], [], 0, null, true],
  ],
  'an event can be dispatched again, but not inside itself': [
    () => {
      const target = new EventTarget();
      const event = new Event('x');
      const log = [];
      target.addEventListener('x', () =>
        log.push(thrown(() => target.dispatchEvent(event))),
      );
      target.dispatchEvent(event);
      target.dispatchEvent(event);
      return log;
    },
    AS_NODE,
  ],
  'stopped before it is dispatched: nobody is called': [
    () => {
      const target = new EventTarget();
      const log = [];
      target.addEventListener('x', () => log.push('called'));
      for (const stop of ['stopPropagation', 'stopImmediatePropagation']) {
        const event = new Event('x');
        event[stop]();
        target.dispatchEvent(event);
        log.push(event.cancelBubble);
        target.dispatchEvent(event);
      }
      return log;
    },
    AS_NODE,
  ],
  'legacy dispatch members are there': [
    () =>
      [
        'stopPropagation',
        'stopImmediatePropagation',
        'preventDefault',
        'initEvent',
        'composedPath',
      ].map((name) => [
        typeof Event.prototype[name],
        Event.prototype[name].length,
      ]),
    [
      ['function', 0],
      ['function', 0],
      ['function', 0],
      ['function', 1],
      ['function', 0],
    ],
  ],
});

standard('CustomEvent and the like', {
  'detail is any value, null without': [
    () => [
      new CustomEvent('x').detail,
      new CustomEvent('x', { detail: 0 }).detail,
      new CustomEvent('x', { detail: undefined }).detail,
      new CustomEvent('x', null).detail,
    ],
    [null, 0, null, null],
  ],
  'other events have the members of their dictionaries': [
    () => {
      const error = new ErrorEvent('error', {
        message: 'm',
        filename: 'f',
        lineno: 1,
        colno: 2,
        error: 3,
      });
      const port = new MessageChannel().port1;
      const message = new MessageEvent('message', {
        data: 1,
        origin: 'o',
        lastEventId: 'i',
        ports: [port],
      });
      const promise = Promise.resolve();
      const rejection = new PromiseRejectionEvent('r', { promise, reason: 4 });
      return [
        [error.message, error.filename, error.lineno, error.colno, error.error],
        [
          message.data,
          message.origin,
          message.lastEventId,
          message.source,
          message.ports[0] === port,
          Object.isFrozen(message.ports),
        ],
        [rejection.promise === promise, rejection.reason],
        [
          new ErrorEvent('e').error,
          new ErrorEvent('e').message,
          new MessageEvent('m').data,
        ],
        thrown(() => new PromiseRejectionEvent('r')),
        thrown(() => new PromiseRejectionEvent('r', {})),
      ];
    },
    [
      ['m', 'f', 1, 2, 3],
      [1, 'o', 'i', null, true, true],
      [true, 4],
      [undefined, '', null],
      'TypeError',
      'TypeError',
    ],
  ],
  'members that are no text or number are checked': [
    () => [
      thrown(() => new MessageEvent('m', { source: {} })),
      thrown(() => new MessageEvent('m', { ports: [{}] })),
      thrown(() => new MessageEvent('m', { ports: 'ab' })),
      thrown(() => new MessageEvent('m', { ports: null })),
      thrown(() => new PromiseRejectionEvent('r', { promise: 1 })),
      new MessageEvent('m', { origin: '\ud800' }).origin,
      new ErrorEvent('e', { filename: '\ud800' }).filename,
    ],
    [
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      'TypeError',
      '\ufffd',
      '\ufffd',
    ],
  ],
  'initMessageEvent starts over': [
    () => {
      const { port1 } = new MessageChannel();
      const event = new MessageEvent('a');
      const read = () => [
        event.type,
        event.bubbles,
        event.cancelable,
        event.data,
        event.origin,
        event.lastEventId,
        event.source === port1,
        event.ports.length,
      ];
      event.initMessageEvent('b', true, true, 1, 'o', 'i', port1, [port1]);
      const all = read();
      event.initMessageEvent('c');
      return [
        all,
        read(),
        thrown(() => event.initMessageEvent()),
        thrown(() => event.initMessageEvent('d', 0, 0, 0, '', '', {})),
      ];
    },
    [
      ['b', true, true, 1, 'o', 'i', true, 1],
      ['c', false, false, null, '', '', false, 0],
      'TypeError',
      'TypeError',
    ],
  ],
});
