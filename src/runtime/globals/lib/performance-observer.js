'use strict';

const {
  dictionary,
  enumerable,
  enumerableStatic,
  need,
  noArguments,
  sequence,
  tag,
} = require('./webidl.js');

const TYPES = Object.freeze(['mark', 'measure']);

const KEY = Symbol('construct');
const byStart = (left, right) => left.startTime - right.startTime;

class PerformanceObserverEntryList {
  #entries;

  constructor(key, entries) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    this.#entries = entries.sort(byStart);
  }

  getEntries() {
    return [...this.#entries];
  }

  getEntriesByType(type) {
    need(1, arguments.length, 'PerformanceObserverEntryList.getEntriesByType');
    return this.#entries.filter((entry) => entry.entryType === `${type}`);
  }

  getEntriesByName(name, type = undefined) {
    need(1, arguments.length, 'PerformanceObserverEntryList.getEntriesByName');
    return this.#entries.filter(
      (entry) =>
        entry.name === `${name}` &&
        (type === undefined || entry.entryType === `${type}`),
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

/**
 * The observer class, and how a new entry reaches the observers.
 *
 * @param {(type: string) => object[]} existing the entries that there are
 */
function createObserver(existing) {
  const active = new Set();

  class PerformanceObserver {
    #callback;
    #types = new Set();
    // Whether it observes by `type` or by `entryTypes`.
    #mode;
    #queue = [];
    #wasCalled = false;

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

    observe(options = undefined) {
      const where = 'PerformanceObserver.observe';
      const { entryTypes, type, buffered } = dictionary(options, where);
      if (entryTypes === undefined && type === undefined) {
        throw new TypeError('PerformanceObserver.observe: no type is given');
      }
      if (entryTypes !== undefined && (type ?? buffered) !== undefined) {
        throw new TypeError(
          'PerformanceObserver.observe: entryTypes go with nothing else',
        );
      }
      const wanted =
        entryTypes === undefined
          ? [`${type}`]
          : sequence(entryTypes, where).map(String);
      const mode = entryTypes === undefined ? 'single' : 'multiple';
      if (this.#mode !== undefined && this.#mode !== mode) {
        const { DOMException } = require('sw:events');
        throw new DOMException(
          'The observer observes by the other option already',
          'InvalidModificationError',
        );
      }
      this.#mode = mode;
      const known = wanted.filter((name) => TYPES.includes(name));
      if (known.length === 0) return;
      if (mode === 'multiple') this.#types.clear();
      for (const name of known) this.#types.add(name);
      active.add(this);
      if (!buffered || mode === 'multiple') return;
      for (const entry of existing(known[0])) deliver(this, entry);
    }

    disconnect() {
      active.delete(this);
      this.#types.clear();
      this.#mode = undefined;
      this.#queue = [];
    }

    takeRecords() {
      return this.#queue.splice(0);
    }

    #flush() {
      const entries = this.takeRecords();
      if (entries.length === 0) return;
      const list = new PerformanceObserverEntryList(KEY, entries);
      // Nothing is ever dropped, and only the first call says so.
      const options = this.#wasCalled ? {} : { droppedEntriesCount: 0 };
      this.#wasCalled = true;
      this.#callback.call(this, list, this, options);
    }
  }
  const { deliver } = PerformanceObserver;
  delete PerformanceObserver.deliver;
  enumerable(PerformanceObserver, ['observe', 'disconnect', 'takeRecords']);
  enumerableStatic(PerformanceObserver, ['supportedEntryTypes']);
  tag(PerformanceObserver);

  return {
    PerformanceObserver,
    announce(entry) {
      for (const observer of active) deliver(observer, entry);
    },
  };
}

module.exports = { PerformanceObserverEntryList, createObserver };
