'use strict';

// Public and private keys of node:crypto; only read when one is used.

module.exports = {
  ...require('../lib/asymmetric/material.js'),
  ...require('../lib/asymmetric/read.js'),
  ...require('../lib/asymmetric/use.js'),
  ...require('../lib/asymmetric/write.js'),
};
