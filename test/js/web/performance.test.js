'use strict';

/* global thrown, later */
const { AS_NODE, standard } = require('./support.js');

standard('performance', {
  'now grows from timeOrigin, which is a date': [
    () => {
      const earliest = Date.now();
      const one = performance.now();
      const two = performance.now();
      const date = performance.timeOrigin + one;
      return [
        two >= one,
        one > 0,
        date > earliest - 1000 && date < Date.now() + 1000,
        typeof performance.toJSON().timeOrigin,
        performance instanceof EventTarget,
        thrown(() => new Performance()),
        thrown(() => Performance.prototype.now.call({})),
      ];
    },
    [true, true, true, 'number', true, 'TypeError', 'TypeError'],
  ],
  marks: [
    () => {
      performance.clearMarks();
      const mark = performance.mark('a', { startTime: 5, detail: { x: 1 } });
      const own = new PerformanceMark('b', { startTime: 1 });
      const detail = {};
      const copied = performance.mark('c', { detail }).detail;
      return [
        mark.name,
        mark.entryType,
        mark.startTime,
        mark.duration,
        mark.detail,
        own.entryType,
        performance.getEntriesByName('b').length,
        copied !== detail,
        performance.mark('d').detail,
        thrown(() => performance.mark()),
        thrown(() => performance.mark('x', { startTime: -1 })),
        thrown(() => performance.mark('x', { detail() {} })),
        mark instanceof PerformanceEntry,
        Object.keys(mark.toJSON()).join(),
      ];
    },
    [
      'a',
      'mark',
      5,
      0,
      { x: 1 },
      'mark',
      0,
      true,
      null,
      'TypeError',
      'TypeError',
      'DOM DataCloneError',
      true,
      'name,entryType,startTime,duration,detail',
    ],
  ],
  measures: [
    () => {
      performance.clearMarks();
      performance.clearMeasures();
      performance.mark('s', { startTime: 10 });
      performance.mark('e', { startTime: 30 });
      const read = ({ startTime, duration, detail }) => [
        startTime,
        duration,
        detail,
      ];
      return [
        read(performance.measure('1', 's', 'e')),
        read(performance.measure('2', { start: 's', duration: 5 })),
        read(performance.measure('3', { end: 'e', duration: 5 })),
        read(performance.measure('4', { start: 1, end: 2, detail: [1] })),
        performance.measure('5').startTime,
        performance.measure('5', 's').startTime,
        performance.measure('6', {}).startTime,
        performance.measure('7', undefined, 'e').duration,
        thrown(() => performance.measure()),
        thrown(() => performance.measure('x', 'missing')),
        thrown(() => performance.measure('x', { start: 1 }, 'e')),
        thrown(() => performance.measure('x', { detail: 1 })),
        thrown(() => performance.measure('x', { duration: 1 })),
        thrown(() =>
          performance.measure('x', { start: 1, end: 2, duration: 1 }),
        ),
        thrown(() => performance.measure('x', { start: -1 })),
      ].map((answer) => (answer?.[0] === 'none' ? 'none' : answer));
    },
    AS_NODE,
  ],
  'entries in order, by name and type, and cleared': [
    () => {
      performance.clearMarks();
      performance.clearMeasures();
      performance.mark('b', { startTime: 2 });
      performance.mark('a', { startTime: 1 });
      performance.mark('b', { startTime: 0 });
      performance.measure('b', { start: 0, end: 1 });
      const all = performance
        .getEntries()
        .map((entry) => `${entry.name}${entry.startTime}`);
      const named = performance.getEntriesByName('b', 'mark').length;
      performance.clearMarks('b');
      return [
        all,
        named,
        performance.getEntriesByType('mark').length,
        performance.getEntriesByName('b').length,
        performance.getEntriesByType('other').length,
        thrown(() => performance.getEntriesByName()),
        thrown(() => performance.getEntriesByType()),
      ];
    },
    [['b0', 'b0', 'a1', 'b2'], 2, 1, 1, 0, 'TypeError', 'TypeError'],
  ],
  'an observer is told in a task': [
    async () => {
      const log = [];
      const observer = new PerformanceObserver((list, self) =>
        log.push(
          list.getEntries().map((entry) => entry.name),
          self === observer,
          list instanceof PerformanceObserverEntryList,
        ),
      );
      observer.observe({ entryTypes: ['mark', 'unknown'] });
      performance.mark('m1');
      performance.mark('m2');
      performance.measure('no');
      log.push('sync');
      await later(10);
      performance.mark('m3');
      log.push(observer.takeRecords().map((entry) => entry.name));
      observer.disconnect();
      performance.mark('m4');
      await later(10);
      return [
        log,
        Object.isFrozen(PerformanceObserver.supportedEntryTypes),
        [...PerformanceObserver.supportedEntryTypes],
        thrown(() => new PerformanceObserver()),
        thrown(() => new PerformanceObserver(5)),
        thrown(() => observer.observe()),
        thrown(() => observer.observe({})),
        thrown(() => observer.observe({ type: 'mark', entryTypes: ['mark'] })),
      ];
    },
    AS_NODE,
  ],
  'type observes one kind, with what was before if asked': [
    async () => {
      performance.clearMarks();
      performance.mark('before');
      const names = [];
      const observer = new PerformanceObserver((list) =>
        names.push(...list.getEntriesByType('mark').map((entry) => entry.name)),
      );
      observer.observe({ type: 'mark', buffered: true });
      performance.mark('after');
      await later(10);
      observer.disconnect();
      return names;
    },
    ['before', 'after'],
  ],
  'an observer gets its entries by their start, and what was dropped once': [
    async () => {
      const log = [];
      const observer = new PerformanceObserver((list, _, options) => {
        log.push(list.getEntries().map((entry) => entry.name));
        log.push(options?.droppedEntriesCount ?? 'none');
      });
      observer.observe({ entryTypes: ['mark'] });
      performance.mark('b', { startTime: 2 });
      performance.mark('a', { startTime: 1 });
      await later(10);
      performance.mark('c');
      await later(10);
      observer.disconnect();
      return [
        log,
        thrown(() => observer.observe({ entryTypes: 'mark' })),
        thrown(() => observer.observe({ entryTypes: 5 })),
      ];
    },
    AS_NODE,
  ],
  'options and times that Node refuses': [
    () =>
      [
        thrown(() => performance.mark('m', 123)),
        thrown(() => performance.mark('m', 'x')),
        thrown(() => performance.mark('m', { startTime: Number.NaN })),
        thrown(() => new PerformanceMark('m', { startTime: Infinity })),
        thrown(() => performance.measure('m', { start: Infinity })),
        thrown(() => performance.mark('m', null)),
      ].map((answer) => (typeof answer === 'string' ? answer : 'none')),
    AS_NODE,
  ],
  'what is of Node itself': [
    async () => {
      const { constants, timerify } = await import('node:perf_hooks');
      const entries = [];
      const observer = new PerformanceObserver((list) =>
        entries.push(...list.getEntries()),
      );
      observer.observe({ entryTypes: ['function', 'resource'] });
      const timed = (timerify ?? performance.timerify)(function sum(...list) {
        return list.reduce((a, b) => a + b);
      });
      const answer = timed(1, 2, 3);
      await later(10);
      observer.disconnect();
      const [{ name, entryType, detail }] = entries;
      return [
        answer,
        [timed.name, timed.length],
        [name, entryType, [...detail]],
        Object.entries(constants),
        Object.getOwnPropertyNames(constants),
        Object.keys(performance.nodeTiming),
        performance.nodeTiming.loopExit,
        Object.keys(performance.eventLoopUtilization()),
        thrown(() => new PerformanceResourceTiming()),
        thrown(() => performance.setResourceTimingBufferSize()),
        performance.clearResourceTimings(),
      ];
    },
    AS_NODE,
  ],
});
