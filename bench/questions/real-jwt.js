'use strict';

const { realQuestion } = require('../lib/real-question.js');

module.exports = realQuestion(
  'jwt',
  '100 JSON Web Tokens by a secret, 2 by an RSA key',
);
