'use strict';

module.exports = { ...require('sw:streams') };
