'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('index', 'A Map of 300 000 objects');
