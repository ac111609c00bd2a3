'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('papaCsv', 'CSV of 10 000 rows (papaparse)');
