'use strict';

/* global host */
const { needFunction } = require('../lib/node-error.js');

const channels = new Map();
const { apply } = Reflect;

class Channel {
  #subscribers = [];

  constructor(name) {
    this.name = name;
  }

  get hasSubscribers() {
    return this.#subscribers.length > 0;
  }

  subscribe(subscriber) {
    needFunction(subscriber, 'subscription');
    this.#subscribers = [...this.#subscribers, subscriber];
  }

  unsubscribe(subscriber) {
    const at = this.#subscribers.indexOf(subscriber);
    if (at < 0) return false;
    this.#subscribers = this.#subscribers.toSpliced
      ? this.#subscribers.toSpliced(at, 1)
      : this.#subscribers.filter((_, index) => index !== at);
    return true;
  }

  // One that throws must not keep the others from hearing.
  publish(message) {
    for (const subscriber of this.#subscribers) {
      try {
        subscriber(message, this.name);
      } catch (error) {
        host.queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

function channel(name) {
  if (!channels.has(name)) channels.set(name, new Channel(name));
  return channels.get(name);
}

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class TracingChannel {
  constructor(nameOrChannels) {
    for (const event of EVENTS) {
      this[event] =
        typeof nameOrChannels === 'string'
          ? channel(`tracing:${nameOrChannels}:${event}`)
          : nameOrChannels[event];
    }
  }

  get hasSubscribers() {
    return EVENTS.some((event) => this[event]?.hasSubscribers);
  }

  subscribe(handlers) {
    for (const event of EVENTS) {
      if (handlers[event]) this[event].subscribe(handlers[event]);
    }
  }

  unsubscribe(handlers) {
    let all = true;
    for (const event of EVENTS) {
      if (!handlers[event]) continue;
      if (!this[event].unsubscribe(handlers[event])) all = false;
    }
    return all;
  }

  traceSync(callback, context = {}, self = undefined, ...args) {
    this.start.publish(context);
    try {
      context.result = apply(callback, self, args);
      return context.result;
    } catch (error) {
      context.error = error;
      this.error.publish(context);
      throw error;
    } finally {
      this.end.publish(context);
    }
  }

  tracePromise(callback, context = {}, self = undefined, ...args) {
    const settle = (key, value) => {
      context[key] = value;
      if (key === 'error') this.error.publish(context);
      this.asyncStart.publish(context);
      this.asyncEnd.publish(context);
    };
    this.start.publish(context);
    try {
      const promise = Promise.resolve(apply(callback, self, args));
      return promise.then(
        (value) => {
          settle('result', value);
          return value;
        },
        (error) => {
          settle('error', error);
          throw error;
        },
      );
    } catch (error) {
      context.error = error;
      this.error.publish(context);
      throw error;
    } finally {
      this.end.publish(context);
    }
  }

  traceCallback(
    callback,
    position = -1,
    context = {},
    self = undefined,
    ...args
  ) {
    const at = position < 0 ? args.length + position : position;
    const done = args[at];
    needFunction(done);
    args[at] = (error, value, ...rest) => {
      if (error) {
        context.error = error;
        this.error.publish(context);
      } else {
        context.result = value;
      }
      this.asyncStart.publish(context);
      try {
        return done(error, value, ...rest);
      } finally {
        this.asyncEnd.publish(context);
      }
    };
    this.start.publish(context);
    try {
      return apply(callback, self, args);
    } finally {
      this.end.publish(context);
    }
  }
}

module.exports = {
  Channel,
  channel,
  hasSubscribers: (name) => channels.get(name)?.hasSubscribers ?? false,
  subscribe: (name, subscriber) => channel(name).subscribe(subscriber),
  tracingChannel: (nameOrChannels) => new TracingChannel(nameOrChannels),
  unsubscribe: (name, subscriber) => channel(name).unsubscribe(subscriber),
};
