'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion('passwords', '8 passwords by scrypt');
