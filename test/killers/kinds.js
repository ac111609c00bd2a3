'use strict';
// Every kind of harm: [what is done, the ends it may have, options].

module.exports = {
  ...require('./fixtures/broken-kinds.js'),
  ...require('./fixtures/broken-values.js'),
  ...require('./fixtures/broken-life.js'),
  ...require('./fixtures/broken-owner.js'),
  ...require('./fixtures/broken-owner-builtins.js'),
  ...require('./fixtures/broken-entries.js'),
};
