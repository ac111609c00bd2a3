'use strict';

const { constants } = require('node:os');

module.exports = { ...constants.errno, ...constants.signals };
