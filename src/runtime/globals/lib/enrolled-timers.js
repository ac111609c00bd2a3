'use strict';

// The timers that Node 20 and 22 keep for objects of others' making, which
// name their delay `_idleTimeout` and what is due `_onTimeout`.

/* global host */
const { invalidArgument, outOfRange } = require('./node-error.js');

const { deprecate } = require('node:util');
const { clearTimeout, setTimeout } = require('sw:timers');

const MAX_DELAY = 2 ** 31 - 1;
const started = new WeakMap();
const Timeout = (() => {
  const probe = setTimeout(() => {}, 0);
  clearTimeout(probe);
  return probe.constructor;
})();

function durationOf(msecs) {
  if (typeof msecs !== 'number') {
    throw invalidArgument('msecs', 'of type number', msecs);
  }
  if (msecs < 0 || !Number.isFinite(msecs)) {
    throw outOfRange('msecs', 'a non-negative finite number', msecs);
  }
  if (msecs <= MAX_DELAY) return msecs;
  require('node:process').emitWarning(
    `${msecs} does not fit into a 32-bit signed integer.\nTimer duration was truncated to ${MAX_DELAY}.`,
    'TimeoutOverflowWarning',
  );
  return MAX_DELAY;
}

function due(item) {
  started.delete(item);
  try {
    if (typeof item._onTimeout === 'function') item._onTimeout();
  } finally {
    if (item._repeat && item._idleTimeout !== -1) {
      item._idleTimeout = item._repeat;
      start(item, true);
    } else if (!started.has(item)) {
      item._destroyed = true;
    }
  }
}

function start(item, isRef) {
  if (item instanceof Timeout) return item.refresh();
  const { _idleTimeout: msecs } = item;
  if (msecs < 0 || msecs === undefined) return undefined;
  clearTimeout(started.get(item));
  const timer = setTimeout(() => due(item), msecs);
  if (!isRef) timer.unref();
  started.set(item, timer);
  item._idleStart = Math.floor(host.nowMs());
  item._idleNext ??= item;
  item._idlePrev ??= item;
  item._destroyed = false;
  return undefined;
}

function unenroll(item) {
  if (item instanceof Timeout) clearTimeout(item);
  if (item._destroyed) return;
  clearTimeout(started.get(item));
  started.delete(item);
  item._destroyed = true;
  item._idleNext = null;
  item._idlePrev = null;
  item._idleTimeout = -1;
}

function enroll(item, msecs) {
  const duration = durationOf(msecs);
  if (item._idleNext) unenroll(item);
  item._idlePrev = item;
  item._idleNext = item;
  item._idleTimeout = duration;
}

const deprecated = (work, name, instead, code) =>
  deprecate(
    work,
    `timers.${name}() is deprecated. Please use ${instead} instead.`,
    code,
  );

module.exports = {
  _unrefActive: deprecated(
    (item) => void start(item, false),
    '_unrefActive',
    'timeout.refresh()',
    'DEP0127',
  ),
  active: deprecated(
    (item) => void start(item, true),
    'active',
    'timeout.refresh()',
    'DEP0126',
  ),
  unenroll: deprecated(unenroll, 'unenroll', 'clearTimeout', 'DEP0096'),
  enroll: deprecated(enroll, 'enroll', 'setTimeout', 'DEP0095'),
};
