'use strict';

// A bundle of its own has the natives, so that they are made once.

module.exports = require('sw:openssl');
