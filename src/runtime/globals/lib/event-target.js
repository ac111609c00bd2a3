'use strict';

const {
  Event: BaseEvent,
  EventTarget: BaseEventTarget,
  getEventAttributeValue,
  setErrorHandler,
  setEventAttributeValue,
  setWarningHandler,
} = require('event-target-shim');

const { accessor, enumerable, need, tag } = require('./webidl.js');

// The library forgets the target when an event has been dispatched.
class Event extends BaseEvent {
  #target = null;

  constructor(type, init = undefined) {
    need(1, arguments.length, 'Event');
    super(type, init ?? {});
  }

  get target() {
    return super.target ?? this.#target;
  }

  get srcElement() {
    return this.target;
  }

  static keepTarget(event, target) {
    if (#target in event) event.#target = target;
  }
}
const { keepTarget } = Event;
delete Event.keepTarget;
enumerable(Event, ['target', 'srcElement']);
tag(Event);

class EventTarget extends BaseEventTarget {
  dispatchEvent(event) {
    need(1, arguments.length, 'EventTarget.dispatchEvent');
    if (!(event instanceof Event)) {
      throw new TypeError('EventTarget.dispatchEvent: not an Event');
    }
    // An event under way keeps the target it has.
    if (event.eventPhase === Event.NONE) keepTarget(event, this);
    return super.dispatchEvent(event);
  }
}
enumerable(EventTarget, ['dispatchEvent']);
tag(EventTarget);

/** A listener's exception must not stop the other listeners. */
function connect(host) {
  setErrorHandler((error) => host.reportError(error));
  setWarningHandler(() => {});
}

/** Defines `on<type>` as an event handler attribute. */
function handlerAttribute(Class, type) {
  accessor(
    Class.prototype,
    `on${type}`,
    {
      get() {
        return getEventAttributeValue(this, type);
      },
    }.get,
    {
      set(callback) {
        const usable = typeof callback === 'function' ? callback : null;
        setEventAttributeValue(this, type, usable);
      },
    }.set,
  );
}

class CustomEvent extends Event {
  #detail;

  constructor(type, init = {}) {
    super(type, init);
    this.#detail = init?.detail ?? null;
  }

  get detail() {
    return this.#detail;
  }
}
enumerable(CustomEvent, ['detail']);
tag(CustomEvent);

/** An Event class whose extra attributes come from its init dictionary. */
function eventClass(name, defaults) {
  const Class = {
    [name]: class extends Event {
      #values;

      constructor(type, init = {}) {
        super(type, init);
        this.#values = { ...defaults };
        for (const key of Object.keys(defaults)) {
          if (init?.[key] !== undefined) this.#values[key] = init[key];
        }
      }

      static read(event, key) {
        return event.#values[key];
      }
    },
  }[name];
  const { read } = Class;
  delete Class.read;
  for (const key of Object.keys(defaults)) {
    const { get } = {
      get() {
        return read(this, key);
      },
    };
    accessor(Class.prototype, key, get);
  }
  tag(Class, name);
  return Class;
}

const ErrorEvent = eventClass('ErrorEvent', {
  message: '',
  filename: '',
  lineno: 0,
  colno: 0,
  error: undefined,
});
const MessageEvent = eventClass('MessageEvent', {
  data: null,
  origin: '',
  lastEventId: '',
  source: null,
  ports: Object.freeze([]),
});
const PromiseRejectionEvent = eventClass('PromiseRejectionEvent', {
  promise: undefined,
  reason: undefined,
});

module.exports = {
  CustomEvent,
  ErrorEvent,
  Event,
  EventTarget,
  MessageEvent,
  PromiseRejectionEvent,
  connect,
  handlerAttribute,
};
