'use strict';

const { since } = require('../lib/versions.js');
const {
  activeTimers: _count,
  queueMicrotask: _own,
  ...timers
} = require('sw:timers');

const enrolled = () => require('../lib/enrolled-timers.js');
const former = since(24)
  ? []
  : ['_unrefActive', 'active', 'unenroll', 'enroll'];

module.exports = {
  ...timers,
  get promises() {
    return require('node:timers/promises');
  },
};

// Few want them, and their warnings bring node:util along.
for (const name of former) {
  Object.defineProperty(module.exports, name, {
    get: () => enrolled()[name],
    enumerable: true,
    configurable: true,
  });
}
