'use strict';

const { processor } = require('./bullmq/processor.js');

module.exports = { processor };
