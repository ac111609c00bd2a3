'use strict';

module.exports = require('sw:console').console;
