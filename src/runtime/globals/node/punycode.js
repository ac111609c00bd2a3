'use strict';

module.exports = require('punycode/punycode.js');
