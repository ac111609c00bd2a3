'use strict';

/* global host */
const { createAbort } = require('../lib/abort.js');
const { DOMException, isException } = require('../lib/dom-exception.js');
const { connect, ...events } = require('../lib/event-target.js');

connect(host);

module.exports = {
  ...events,
  ...createAbort(host),
  DOMException,
  isException,
};
