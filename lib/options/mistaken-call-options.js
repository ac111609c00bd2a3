'use strict';
// Refuses misspelled options of calls. Their names are looked at in place,
// because a copy would cost more than a tiny job's other steps together.

const { hasOwn } = require('../protocol/codec/captured.js');
const { refuseName } = require('./mistaken-options.js');
const names = require('./names.js');

/** The names of a call, for `refuseMistakenCall`. */
class CallNames {
  constructor(list) {
    this.list = list;
    // Names alone, so that one that is polluted is not taken for known.
    this.has = { __proto__: null };
    for (const name of list) this.has[name] = true;
  }
}

const CALL = new CallNames(names.CALL);
const RUN = new CallNames(names.RUN);
const MAP = new CallNames(names.MAP);
const MAP_EXPORT = new CallNames(names.MAP_EXPORT);
const STREAM_EXPORT = new CallNames(names.STREAM_EXPORT);
const QUEUE_CALL = new CallNames(names.QUEUE_CALL);
const WORKER_CALL = new CallNames(names.WORKER_CALL);

/**
 * @param {string} operation prefix of the error's text
 * @param {unknown} options of the call, from `ownOptions`
 * @param {CallNames} known those that it takes
 * @throws {TypeError} for an unknown option as `refuseName` refuses it
 */
function refuseMistakenCall(operation, options, known) {
  const { has } = known;
  for (const name in options) {
    // Not what others put on Object.prototype.
    if (has[name] === undefined && hasOwn(options, name)) {
      if (options[name] !== undefined) refuseName(operation, name, known.list);
    }
  }
}

module.exports = {
  CALL,
  MAP,
  MAP_EXPORT,
  QUEUE_CALL,
  RUN,
  STREAM_EXPORT,
  WORKER_CALL,
  refuseMistakenCall,
};
