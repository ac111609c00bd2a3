'use strict';

/* global host */
const { need } = require('../lib/webidl.js');

function reportError(error) {
  need(1, arguments.length, 'reportError');
  host.reportError(error);
}

module.exports = { reportError };
