'use strict';

module.exports = require('readable-stream/lib/stream.js');
