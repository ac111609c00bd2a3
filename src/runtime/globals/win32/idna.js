'use strict';

const { toASCII, toUnicode } = require('tr46');

module.exports = { toASCII, toUnicode };
