'use strict';

/* global host */
const { createAbort } = require('../lib/abort.js');
const { DOMException, isException } = require('../lib/dom-exception.js');
const kinds = require('../lib/event-kinds.js');
const targets = require('../lib/event-target.js');
const { QuotaExceededError } = require('../lib/quota-exceeded.js');

module.exports = {
  ...targets,
  ...kinds,
  ...createAbort(host),
  DOMException,
  QuotaExceededError,
  isException,
};
