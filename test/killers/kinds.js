'use strict';
// Every kind of harm: [what is done, the ends it may have, options].

module.exports = {
  ...require('./fixtures/broken-kinds.js'),
  ...require('./fixtures/broken-sources.js'),
  ...require('./fixtures/broken-globals.js'),
  ...require('./fixtures/broken-values.js'),
  ...require('./fixtures/broken-sizes.js'),
  ...require('./fixtures/broken-life.js'),
  ...require('./fixtures/broken-talks.js'),
  ...require('./fixtures/broken-floods.js'),
  ...require('./fixtures/broken-node.js'),
  ...require('./fixtures/broken-neighbours.js'),
  ...require('./fixtures/broken-owner.js'),
  ...require('./fixtures/broken-owner-builtins.js'),
  ...require('./fixtures/broken-entries.js'),
  ...require('./fixtures/broken-contexts.js'),
};
