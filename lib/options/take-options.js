'use strict';

const { plainOptions } = require('../base/validate.js');
const { refuseMistaken } = require('./mistaken-options.js');

/**
 * Takes an option bag, see `plainOptions`, whose names are all checked.
 *
 * @param {string} operation prefix of the error's text
 * @param {unknown} value
 * @param {readonly string[]} known
 * @returns {Readonly<Record<string, unknown>>}
 * @throws {TypeError} no plain object, or an option as `refuseName` refuses it
 */
function takeOptions(operation, value, known) {
  const bag = plainOptions(operation, value);
  refuseMistaken(operation, bag, known);
  return bag;
}

module.exports = { takeOptions };
