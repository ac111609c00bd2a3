'use strict';

// The EventTarget of the DOM standard. There is no tree in a worker: an event
// has one target, whose capturing listeners are called before the others.

/* global host */
const { Event, internals } = require('./event.js');
const { accessor, enumerable, need, tag } = require('./webidl.js');

const {
  begin,
  end,
  isDispatching,
  isEvent,
  isStopped,
  isStoppedAtOnce,
  setPassive,
} = internals;

const isObject = (value) =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

// AbortSignal needs EventTarget to be there first (connectSignals).
let signals;
// Called with a target and the type of its new listener.
let onListen = () => {};

function flatten(options) {
  return Boolean(isObject(options) ? options.capture : options);
}

function flattenMore(options) {
  const capture = flatten(options);
  if (!isObject(options)) return { capture, once: false, passive: false };
  const once = Boolean(options.once);
  const passive = Boolean(options.passive);
  const { signal } = options;
  if (signal !== undefined && !signals.isSignal(signal)) {
    throw new TypeError(
      'EventTarget.addEventListener: the signal is no AbortSignal',
    );
  }
  return { capture, once, passive, signal };
}

function checkCallback(callback, where) {
  if (callback === undefined || callback === null) return null;
  if (isObject(callback)) return callback;
  throw new TypeError(`EventTarget.${where}: the listener is no object`);
}

// A user's listener: a function, or an object that has one at this moment.
function call(callback, target, event) {
  if (typeof callback === 'function') {
    callback.call(target, event);
    return;
  }
  const { handleEvent } = callback;
  if (typeof handleEvent !== 'function') {
    throw new TypeError("The listener's handleEvent is no function");
  }
  handleEvent.call(callback, event);
}

class EventTarget {
  // By type, from the first listener on; each list is replaced when it changes,
  // never altered.
  #lists;
  #handlers;

  addEventListener(type, callback, options = undefined) {
    need(2, arguments.length, 'EventTarget.addEventListener');
    // Throws here for what is no target.
    void this.#lists;
    const name = `${type}`;
    const listener = checkCallback(callback, 'addEventListener');
    const { capture, once, passive, signal } = flattenMore(options);
    if (listener === null || signal?.aborted) return;
    this.#lists ??= new Map();
    const lists = this.#lists;
    const list = lists.get(name) ?? [];
    for (const other of list) {
      if (other.callback === listener && other.capture === capture) return;
    }
    const entry = {
      callback: listener,
      capture,
      once,
      passive,
      isRemoved: false,
      forget: undefined,
    };
    lists.set(name, [...list, entry]);
    if (signal !== undefined) {
      entry.forget = signals.addAlgorithm(signal, () =>
        this.#remove(name, entry),
      );
    }
    onListen(this, name);
  }

  removeEventListener(type, callback, options = undefined) {
    need(2, arguments.length, 'EventTarget.removeEventListener');
    const lists = this.#lists;
    const name = `${type}`;
    const listener = checkCallback(callback, 'removeEventListener');
    const capture = flatten(options);
    const entry = lists
      ?.get(name)
      ?.find((one) => one.callback === listener && one.capture === capture);
    if (entry) this.#remove(name, entry);
  }

  #remove(type, entry) {
    if (entry.isRemoved) return;
    entry.isRemoved = true;
    entry.forget?.();
    const rest = this.#lists.get(type).filter((other) => other !== entry);
    if (rest.length > 0) this.#lists.set(type, rest);
    else this.#lists.delete(type);
  }

  dispatchEvent(event) {
    need(1, arguments.length, 'EventTarget.dispatchEvent');
    return this.#dispatchUsers(event, this);
  }

  #dispatchUsers(event, shown) {
    // Throws here for what is no target.
    const lists = this.#lists;
    if (!isEvent(event)) {
      throw new TypeError('EventTarget.dispatchEvent: not an Event');
    }
    if (isDispatching(event)) {
      const { DOMException } = require('./dom-exception.js');
      throw new DOMException(
        'The event is already being dispatched',
        'InvalidStateError',
      );
    }
    if (lists) return this.#dispatch(event, shown, false);
    begin(event, shown, false);
    end(event);
    return !event.defaultPrevented;
  }

  #dispatch(event, shown, trusted) {
    begin(event, shown, trusted);
    this.#invoke(event, shown, true);
    this.#invoke(event, shown, false);
    end(event);
    return !event.defaultPrevented;
  }

  #invoke(event, shown, capture) {
    if (isStopped(event)) return;
    const { type } = event;
    for (const entry of this.#lists?.get(type) ?? []) {
      if (entry.isRemoved || entry.capture !== capture) continue;
      if (entry.once) this.#remove(type, entry);
      if (entry.passive) setPassive(event, true);
      try {
        call(entry.callback, shown, event);
      } catch (error) {
        // It must not stop the other listeners.
        host.reportError(error);
      }
      setPassive(event, false);
      if (isStoppedAtOnce(event)) return;
    }
  }

  static internals = {
    /**
     * Dispatches an event of the runtime: trusted, and possibly for another
     * object.
     */
    fire: (target, event, shown = target) =>
      target.#dispatch(event, shown, true),

    /** `event` of a user, for the listeners of an object that `target` is for. */
    dispatchFor: (target, event, shown) => target.#dispatchUsers(event, shown),

    has: (target, type) => target.#lists?.has(type) ?? false,

    listenersOf: (target, type) =>
      (target.#lists?.get(type) ?? []).map(({ callback }) => callback),

    handler: (target, type) => target.#handlers?.get(type)?.callback ?? null,

    // The first handler takes a place among the listeners; the later ones
    // take it over.
    setHandler(target, type, callback, run = runHandler) {
      target.#handlers ??= new Map();
      const handlers = target.#handlers;
      const own = handlers.get(type);
      if (callback === null) {
        if (own === undefined) return;
        handlers.delete(type);
        target.removeEventListener(type, own.listener);
      } else if (own === undefined) {
        const handler = { callback, listener: undefined };
        handler.listener = (event) => {
          if (typeof handler.callback === 'function') {
            run(handler.callback, event);
          }
        };
        handlers.set(type, handler);
        target.addEventListener(type, handler.listener);
      } else {
        own.callback = callback;
      }
    },
  };
}
const { dispatchFor, fire, has, handler, listenersOf, setHandler } =
  EventTarget.internals;
delete EventTarget.internals;
enumerable(EventTarget, [
  'addEventListener',
  'removeEventListener',
  'dispatchEvent',
]);
tag(EventTarget);

function runHandler(callback, event) {
  const answer = callback.call(event.currentTarget, event);
  if (answer === false) event.preventDefault();
}

/** Defines `on<type>` as an event handler attribute. */
function handlerAttribute(Class, type) {
  accessor(
    Class.prototype,
    `on${type}`,
    {
      get() {
        return handler(this, type);
      },
    }.get,
    {
      set(callback) {
        setHandler(this, type, isObject(callback) ? callback : null);
      },
    }.set,
  );
}

/** The same for an object that `target` is for: `run(callback, event)`. */
function handlerOf(target, type, run = runHandler) {
  return {
    get: () => handler(target, type),
    set(callback) {
      setHandler(target, type, isObject(callback) ? callback : null, run);
    },
  };
}

/** @param {object} known `isSignal`, `addAlgorithm` → what takes it back */
function connectSignals(known, listening) {
  signals = known;
  onListen = listening;
}

module.exports = {
  Event,
  EventTarget,
  connectSignals,
  dispatchFor,
  fire,
  handlerAttribute,
  handlerOf,
  hasListeners: has,
  listenersOf,
};
