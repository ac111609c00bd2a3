'use strict';

const { GHASH } = require('@noble/ciphers/_polyval.js');
const aes = require('@noble/ciphers/aes.js');

module.exports = { GHASH, aes };
