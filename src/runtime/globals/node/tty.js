'use strict';

const { unsupported } = require('../lib/unsupported.js');
const { getColorDepth, hasColors } =
  require('sw:library').moduleOf('internal/tty');

const WriteStream = unsupported('tty', 'WriteStream');
// Packages ask the prototype what colours the environment allows.
Object.assign(WriteStream.prototype, {
  isTTY: true,
  getColorDepth,
  hasColors,
});

module.exports = {
  ReadStream: unsupported('tty', 'ReadStream'),
  WriteStream,
  isatty: () => false,
};
