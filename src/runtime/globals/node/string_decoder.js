'use strict';

module.exports = require('string_decoder/');
