'use strict';

// The Event of the DOM standard. The internals that dispatch needs are exported
// for event-target.js only.

/* global host */
const {
  dictionary,
  enumerable,
  inspectable,
  need,
  tag,
} = require('./webidl.js');

const { defineProperty } = Object;

class Event {
  #type;
  #bubbles;
  #cancelable;
  #composed;
  #timeStamp = host.nowMs();
  #isTrusted = false;
  #target = null;
  #currentTarget = null;
  #phase = 0;
  #dispatching = false;
  #stopped = false;
  #stoppedAtOnce = false;
  #canceled = false;
  #inPassiveListener = false;

  constructor(type, eventInitDict = undefined) {
    need(1, arguments.length, 'Event');
    this.#type = `${type}`;
    const init = dictionary(eventInitDict, 'Event');
    this.#bubbles = Boolean(init.bubbles);
    this.#cancelable = Boolean(init.cancelable);
    this.#composed = Boolean(init.composed);
    defineProperty(this, 'isTrusted', isTrusted);
  }

  get type() {
    return this.#type;
  }

  get target() {
    return this.#target;
  }

  get srcElement() {
    return this.#target;
  }

  get currentTarget() {
    return this.#currentTarget;
  }

  composedPath() {
    return this.#currentTarget === null ? [] : [this.#currentTarget];
  }

  get eventPhase() {
    return this.#phase;
  }

  stopPropagation() {
    this.#stopped = true;
  }

  get cancelBubble() {
    return this.#stopped;
  }

  set cancelBubble(value) {
    this.#stopped = this.#stopped || Boolean(value);
  }

  stopImmediatePropagation() {
    this.#stopped = true;
    this.#stoppedAtOnce = true;
  }

  get bubbles() {
    return this.#bubbles;
  }

  get cancelable() {
    return this.#cancelable;
  }

  get returnValue() {
    return !this.#canceled;
  }

  set returnValue(value) {
    if (!value) this.preventDefault();
  }

  preventDefault() {
    if (this.#cancelable && !this.#inPassiveListener) this.#canceled = true;
  }

  get defaultPrevented() {
    return this.#canceled;
  }

  get composed() {
    return this.#composed;
  }

  get timeStamp() {
    return this.#timeStamp;
  }

  initEvent(type, bubbles = false, cancelable = false) {
    need(1, arguments.length, 'Event.initEvent');
    const name = `${type}`;
    if (this.#dispatching) return;
    this.#type = name;
    this.#bubbles = Boolean(bubbles);
    this.#cancelable = Boolean(cancelable);
    this.#isTrusted = false;
    this.#target = null;
    this.#stopped = false;
    this.#stoppedAtOnce = false;
    this.#canceled = false;
  }

  static internals = {
    isEvent(value) {
      return typeof value === 'object' && value !== null && #type in value;
    },

    isDispatching(event) {
      return event.#dispatching;
    },

    isTrusted(event) {
      return event.#isTrusted;
    },

    /** Begins a dispatch; `target` is the one that listeners see. */
    begin(event, target, trusted) {
      event.#dispatching = true;
      event.#isTrusted = trusted;
      event.#target = target;
      event.#currentTarget = target;
      event.#phase = Event.AT_TARGET;
    },

    end(event) {
      event.#dispatching = false;
      event.#currentTarget = null;
      event.#phase = Event.NONE;
      event.#stopped = false;
      event.#stoppedAtOnce = false;
    },

    isStopped(event) {
      return event.#stopped;
    },

    isStoppedAtOnce(event) {
      return event.#stoppedAtOnce;
    },

    setPassive(event, passive) {
      event.#inPassiveListener = passive;
    },
  };
}
const { internals } = Event;
delete Event.internals;

// An own property of each event that cannot be removed.
const isTrusted = {
  get: {
    get isTrusted() {
      return internals.isTrusted(this);
    },
  },
  enumerable: true,
  configurable: false,
};
isTrusted.get = Object.getOwnPropertyDescriptor(isTrusted.get, 'isTrusted').get;

enumerable(
  Event,
  Object.getOwnPropertyNames(Event.prototype).filter(
    (name) => name !== 'constructor',
  ),
);
const PHASES = { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 };
for (const [name, value] of Object.entries(PHASES)) {
  defineProperty(Event, name, { value, enumerable: true });
  defineProperty(Event.prototype, name, { value, enumerable: true });
}
tag(Event);
inspectable(Event, ['type', 'defaultPrevented', 'cancelable', 'timeStamp']);

module.exports = { Event, internals };
