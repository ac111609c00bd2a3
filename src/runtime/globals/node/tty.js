'use strict';

const { unsupported } = require('../lib/unsupported.js');

module.exports = {
  ReadStream: unsupported('tty', 'ReadStream'),
  WriteStream: unsupported('tty', 'WriteStream'),
  isatty: () => false,
};
