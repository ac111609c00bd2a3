'use strict';

/* global host */
const { bindMethods, createConsoleClass } = require('../lib/console.js');

const inspect = require('sw:library').moduleOf('internal/util/inspect');
const types = require('node:util/types');

const natives = host.binding('util');
const tools = {
  ...inspect,
  previewEntries: (value) => natives.previewEntries(value, true),
  types,
};
const Base = createConsoleClass(tools, () => host.nowMs());

// Node's class takes streams; whatever has write() will do.
class Console extends Base {
  constructor(options, stderr = undefined) {
    const bag = typeof options?.write === 'function' ? undefined : options;
    const out = bag?.stdout ?? options;
    const err = bag?.stderr ?? stderr ?? out;
    for (const stream of [out, err]) {
      if (typeof stream?.write !== 'function') {
        const error = new TypeError('Console expects a writable stream');
        error.code = 'ERR_CONSOLE_WRITABLE_STREAM';
        throw error;
      }
    }
    super({
      ...bag,
      out: (text) => out.write(text),
      err: (text) => err.write(text),
    });
    Object.assign(this, bindMethods(this, Base.prototype));
  }
}

const own = bindMethods(
  new Base({
    out: (text) => host.write(1, text),
    err: (text) => host.write(2, text),
  }),
  Base.prototype,
);
Object.defineProperties(own, {
  Console: { value: Console, writable: true, configurable: true },
  [Symbol.toStringTag]: { value: 'console', configurable: true },
});
host.shareConsole?.(own);

module.exports = { Console, console: own };
