'use strict';

/** The text around that of a CommonJS file, which makes it a function. */
module.exports = [
  '(function (exports, require, module, __filename, __dirname) { ',
  '\n});',
];
