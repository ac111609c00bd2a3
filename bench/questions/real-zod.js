'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('zod', 'JSON of 10 000 rows checked by zod');
