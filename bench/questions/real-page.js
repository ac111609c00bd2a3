'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('page', 'A page of 10 000 rows from templates');
