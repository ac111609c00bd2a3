'use strict';
// Refuses misspelled options of calls. Their names are looked at in place,
// because a copy would cost more than a tiny job's other steps together.

const { hasOwn } = require('../protocol/codec/captured.js');
const { refuseName } = require('./mistaken-options.js');

/**
 * @param {string} operation prefix of the error's text
 * @param {unknown} options of the call, from `ownOptions`
 * @param {OptionSet} known those that it takes
 * @throws {TypeError} for an unknown option as `refuseName` refuses it
 */
function refuseMistakenCall(operation, options, known) {
  const { rows } = known;
  for (const name in options) {
    // A name that others put on Object.prototype is no option.
    if (rows[name] === undefined && hasOwn(options, name)) {
      if (options[name] !== undefined) refuseName(operation, name, known.names);
    }
  }
}

module.exports = { refuseMistakenCall };
