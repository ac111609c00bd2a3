'use strict';

const {
  dictionary,
  enumerable,
  inspectable,
  need,
  noArguments,
  tag,
} = require('./webidl.js');

const KEY = Symbol('construct');

class PerformanceEntry {
  #fields;

  constructor(key, fields) {
    if (key !== KEY) throw new TypeError('Illegal constructor');
    this.#fields = fields;
  }

  get name() {
    return this.#fields.name;
  }

  get entryType() {
    return this.#fields.entryType;
  }

  get startTime() {
    return this.#fields.startTime;
  }

  get duration() {
    return this.#fields.duration;
  }

  static detailOf(entry) {
    return entry.#fields.detail;
  }

  toJSON() {
    const { name, entryType, startTime, duration } = this;
    const { detail } = this.#fields;
    return { name, entryType, startTime, duration, detail };
  }
}
const { detailOf } = PerformanceEntry;
delete PerformanceEntry.detailOf;
enumerable(PerformanceEntry, [
  'name',
  'entryType',
  'startTime',
  'duration',
  'toJSON',
]);
tag(PerformanceEntry);
noArguments(PerformanceEntry);

/** The PerformanceMark class, whose default start is the clock's now. */
function createMark(now) {
  class PerformanceMark extends PerformanceEntry {
    constructor(name, options = undefined) {
      need(1, arguments.length, 'PerformanceMark');
      const init = dictionary(options, 'PerformanceMark');
      const startTime = Number(init.startTime ?? now());
      if (!(startTime >= 0 && startTime < Infinity)) {
        throw new TypeError('PerformanceMark: startTime is out of range');
      }
      const detail =
        init.detail === undefined || init.detail === null
          ? null
          : require('sw:clone').structuredClone(init.detail);
      super(KEY, {
        name: `${name}`,
        entryType: 'mark',
        startTime,
        duration: 0,
        detail,
      });
    }

    get detail() {
      return detailOf(this);
    }
  }
  enumerable(PerformanceMark, ['detail']);
  tag(PerformanceMark);
  inspectable(PerformanceMark, [
    'name',
    'entryType',
    'startTime',
    'duration',
    'detail',
  ]);
  return PerformanceMark;
}

class PerformanceMeasure extends PerformanceEntry {
  get detail() {
    return detailOf(this);
  }
}
enumerable(PerformanceMeasure, ['detail']);
noArguments(PerformanceMeasure);
tag(PerformanceMeasure);
inspectable(PerformanceMeasure, [
  'name',
  'entryType',
  'startTime',
  'duration',
  'detail',
]);

const createMeasure = (name, startTime, duration, detail) =>
  new PerformanceMeasure(KEY, {
    name,
    entryType: 'measure',
    startTime,
    duration,
    detail,
  });

module.exports = {
  PerformanceEntry,
  PerformanceMeasure,
  createMark,
  createMeasure,
};
