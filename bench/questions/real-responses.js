'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('responses', '80 bodies by gzip and Brotli');
