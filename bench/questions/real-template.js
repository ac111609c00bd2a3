'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('template', 'A list of 5 000 rows by Handlebars');
