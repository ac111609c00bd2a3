'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('report', '20 000 rows grouped and sorted');
