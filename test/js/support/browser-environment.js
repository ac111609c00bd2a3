'use strict';
// An environment without what jest-environment-jsdom lacks of Node, and without
// jsdom: structuredClone, and timers with `unref`. test/tools has the real one.

const { TestEnvironment } = require('jest-environment-node');

class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    const { global } = this;
    delete global.structuredClone;
    const timers = new Map();
    let last = 0;
    global.setTimeout = (callback, ms) => {
      last += 1;
      timers.set(last, setTimeout(callback, ms));
      return last;
    };
    global.clearTimeout = (id) => clearTimeout(timers.get(id));
  }
}

module.exports = BrowserEnvironment;
