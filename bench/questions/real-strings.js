'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('strings', '200 000 strings built and joined');
