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
const { PerformanceObserver, announce } = createObserver((type) =>
  performance.getEntriesByType(type),
);
const byStart = (left, right) => left.startTime - right.startTime;

function measureOptions(startOrOptions, endMark) {
  if (typeof startOrOptions !== 'object' || startOrOptions === null) {
    return { start: startOrOptions ?? undefined, end: endMark };
  }
  const { start, end, duration, detail } = startOrOptions;
  const given = [start, end, duration];
  if (given.every((value) => value === undefined) && detail === undefined) {
    return { end: endMark };
  }
  const wrong = (text) => new TypeError(`Performance.measure: ${text}`);
  if (endMark !== undefined) throw wrong('options and an end mark given');
  if (start === undefined && end === undefined) {
    throw wrong('neither start nor end given');
  }
  if (given.every((value) => value !== undefined)) {
    throw wrong('start, end and duration given');
  }
  return { start, end, duration, detail };
}

class Performance extends EventTarget {
  #entries = [];

  constructor(key) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    super();
  }

  get timeOrigin() {
    void this.#entries;
    return host.timeOriginMs;
  }

  now() {
    void this.#entries;
    return now();
  }

  mark(name, options = undefined) {
    need(1, arguments.length, 'Performance.mark');
    return this.#add(new PerformanceMark(name, options));
  }

  measure(name, startOrOptions = undefined, endMark = undefined) {
    need(1, arguments.length, 'Performance.measure');
    const bag = measureOptions(startOrOptions, endMark);
    const { start, end, duration, detail } = bag;
    let to = now();
    if (end !== undefined) to = this.#time(end);
    else if (start !== undefined && duration !== undefined) {
      to = this.#time(start) + Number(duration);
    }
    let from = 0;
    if (start !== undefined) from = this.#time(start);
    else if (duration !== undefined) from = to - Number(duration);
    const copy =
      detail === undefined || detail === null
        ? null
        : require('sw:clone').structuredClone(detail);
    return this.#add(createMeasure(`${name}`, from, to - from, copy));
  }

  #time(markOrTime) {
    if (typeof markOrTime === 'number') {
      if (markOrTime >= 0 && markOrTime < Infinity) return markOrTime;
      throw new TypeError('Performance.measure: a time is out of range');
    }
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
    need(1, arguments.length, 'Performance.getEntriesByName');
    return this.getEntries().filter(
      (entry) =>
        entry.name === `${name}` &&
        (type === undefined || entry.entryType === type),
    );
  }

  getEntriesByType(type) {
    need(1, arguments.length, 'Performance.getEntriesByType');
    return this.getEntries().filter((entry) => entry.entryType === `${type}`);
  }

  toJSON() {
    void this.#entries;
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

const performance = new Performance(KEY);

module.exports = {
  Performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  PerformanceObserverEntryList,
  performance,
};
