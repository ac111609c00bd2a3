'use strict';

module.exports = Number.isNaN;
