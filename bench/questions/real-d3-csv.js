'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('d3Csv', 'CSV of 20 000 rows (d3-dsv)');
