'use strict';

// The clock, marks, measures and their observers: Node's own. Most jobs ask for
// the time alone.

const { moduleOf } = require('sw:library');

const clock = moduleOf('internal/perf/performance');
const entries = (name) => moduleOf('perf_hooks')[name];

module.exports = {
  Performance: clock.Performance,
  get PerformanceEntry() {
    return entries('PerformanceEntry');
  },
  get PerformanceMark() {
    return entries('PerformanceMark');
  },
  get PerformanceMeasure() {
    return entries('PerformanceMeasure');
  },
  get PerformanceObserver() {
    return entries('PerformanceObserver');
  },
  get PerformanceObserverEntryList() {
    return entries('PerformanceObserverEntryList');
  },
  get PerformanceResourceTiming() {
    return entries('PerformanceResourceTiming');
  },
  performance: clock.performance,
};
