'use strict';

const { queueMicrotask: _own, ...timers } = require('sw:timers');

module.exports = {
  ...timers,
  get promises() {
    return require('node:timers/promises');
  },
};
