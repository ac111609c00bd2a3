'use strict';

/* global host */
const { enumerable, need, noArguments, tag } = require('../lib/webidl.js');
const {
  PerformanceEntry,
  PerformanceMeasure,
  createMark,
  createMeasure,
} = require('../lib/performance-entries.js');
const {
  PerformanceObserverEntryList,
  createObserver,
} = require('../lib/performance-observer.js');

const { EventTarget } = require('sw:events');

const KEY = Symbol('construct');
const now = () => host.nowMs();
const PerformanceMark = createMark(now);
const { PerformanceObserver, announce } = createObserver();
const byStart = (left, right) => left.startTime - right.startTime;

class Performance extends EventTarget {
  #entries = [];

  constructor(key) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    super();
  }

  get timeOrigin() {
    return host.timeOriginMs;
  }

  now() {
    return now();
  }

  mark(name, options = undefined) {
    need(1, arguments.length, 'Performance.mark');
    return this.#add(new PerformanceMark(name, options));
  }

  measure(name, startOrOptions = undefined, endMark = undefined) {
    need(1, arguments.length, 'Performance.measure');
    const bag =
      typeof startOrOptions === 'object' && startOrOptions !== null
        ? startOrOptions
        : { start: startOrOptions, end: endMark };
    const { start, end, duration, detail = null } = bag;
    if (start !== undefined && end !== undefined && duration !== undefined) {
      throw new TypeError('Performance.measure: start, end and duration given');
    }
    let to = end === undefined ? now() : this.#time(end);
    if (end === undefined && start !== undefined && duration !== undefined) {
      to = this.#time(start) + Number(duration);
    }
    let from = start === undefined ? 0 : this.#time(start);
    if (start === undefined && duration !== undefined) {
      from = to - Number(duration);
    }
    return this.#add(createMeasure(`${name}`, from, to - from, detail));
  }

  #time(markOrTime) {
    if (typeof markOrTime === 'number') return markOrTime;
    const name = `${markOrTime}`;
    const mark = this.getEntriesByName(name, 'mark').at(-1);
    if (mark) return mark.startTime;
    const { DOMException } = require('sw:events');
    const message = `The "${name}" performance mark has not been set`;
    throw new DOMException(message, 'SyntaxError');
  }

  #add(entry) {
    this.#entries.push(entry);
    announce(entry);
    return entry;
  }

  #clear(type, name) {
    this.#entries = this.#entries.filter(
      (entry) =>
        entry.entryType !== type ||
        (name !== undefined && entry.name !== `${name}`),
    );
  }

  clearMarks(name = undefined) {
    this.#clear('mark', name);
  }

  clearMeasures(name = undefined) {
    this.#clear('measure', name);
  }

  getEntries() {
    return [...this.#entries].sort(byStart);
  }

  getEntriesByName(name, type = undefined) {
    return this.getEntries().filter(
      (entry) =>
        entry.name === `${name}` &&
        (type === undefined || entry.entryType === type),
    );
  }

  getEntriesByType(type) {
    return this.getEntries().filter((entry) => entry.entryType === `${type}`);
  }

  toJSON() {
    return { timeOrigin: this.timeOrigin };
  }
}
enumerable(Performance, [
  'timeOrigin',
  'now',
  'mark',
  'measure',
  'clearMarks',
  'clearMeasures',
  'getEntries',
  'getEntriesByName',
  'getEntriesByType',
  'toJSON',
]);
tag(Performance);
noArguments(Performance);

module.exports = {
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  PerformanceObserverEntryList,
  performance: new Performance(KEY),
};
