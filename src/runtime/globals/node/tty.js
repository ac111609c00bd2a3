'use strict';

// No stream is a terminal in here. The classes' prototypes are what packages
// ask for colours, and borrow methods from.

const { unsupported } = require('../lib/unsupported.js');
const { moduleOf } = require('sw:library');

const { getColorDepth, hasColors } = moduleOf('internal/tty');
const ReadStream = unsupported('tty', 'ReadStream');
const WriteStream = unsupported('tty', 'WriteStream');
const cursor = () => moduleOf('internal/readline/callbacks');

Object.assign(ReadStream.prototype, {
  setRawMode: unsupported('tty', 'ReadStream.setRawMode'),
});
Object.assign(WriteStream.prototype, {
  isTTY: true,
  getColorDepth,
  hasColors,
  cursorTo(x, y, callback) {
    return cursor().cursorTo(this, x, y, callback);
  },
  moveCursor(dx, dy, callback) {
    return cursor().moveCursor(this, dx, dy, callback);
  },
  clearLine(dir, callback) {
    return cursor().clearLine(this, dir, callback);
  },
  clearScreenDown(callback) {
    return cursor().clearScreenDown(this, callback);
  },
  getWindowSize() {
    return [this.columns, this.rows];
  },
});

module.exports = { ReadStream, WriteStream, isatty: () => false };
