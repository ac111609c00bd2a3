'use strict';

const { enumerable, noArguments, tag } = require('./webidl.js');

const TYPES = Object.freeze(['mark', 'measure']);

const KEY = Symbol('construct');

class PerformanceObserverEntryList {
  #entries;

  constructor(key, entries) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    this.#entries = entries;
  }

  getEntries() {
    return [...this.#entries];
  }

  getEntriesByType(type) {
    return this.#entries.filter((entry) => entry.entryType === type);
  }

  getEntriesByName(name, type = undefined) {
    return this.#entries.filter(
      (entry) =>
        entry.name === name && (type === undefined || entry.entryType === type),
    );
  }
}
enumerable(PerformanceObserverEntryList, [
  'getEntries',
  'getEntriesByType',
  'getEntriesByName',
]);
noArguments(PerformanceObserverEntryList);
tag(PerformanceObserverEntryList);

/** The observer class, and how a new entry reaches the observers. */
function createObserver() {
  const active = new Set();

  class PerformanceObserver {
    #callback;
    #types = new Set();
    #queue = [];

    constructor(callback) {
      if (typeof callback !== 'function') {
        throw new TypeError('PerformanceObserver: the callback is no function');
      }
      this.#callback = callback;
    }

    static get supportedEntryTypes() {
      return TYPES;
    }

    static deliver(observer, entry) {
      if (!observer.#types.has(entry.entryType)) return;
      observer.#queue.push(entry);
      if (observer.#queue.length === 1) {
        require('sw:timers').setImmediate(() => observer.#flush());
      }
    }

    observe(options = {}) {
      const types = options.entryTypes ?? [options.type];
      if (options.entryTypes) this.#types.clear();
      for (const type of types) {
        if (TYPES.includes(type)) this.#types.add(type);
      }
      active.add(this);
    }

    disconnect() {
      active.delete(this);
      this.#queue = [];
    }

    takeRecords() {
      return this.#queue.splice(0);
    }

    #flush() {
      const entries = this.takeRecords();
      if (entries.length === 0) return;
      const list = new PerformanceObserverEntryList(KEY, entries);
      this.#callback.call(this, list, this);
    }
  }
  const { deliver } = PerformanceObserver;
  delete PerformanceObserver.deliver;
  enumerable(PerformanceObserver, ['observe', 'disconnect', 'takeRecords']);
  tag(PerformanceObserver);

  return {
    PerformanceObserver,
    announce(entry) {
      for (const observer of active) deliver(observer, entry);
    },
  };
}

module.exports = { PerformanceObserverEntryList, createObserver };
