'use strict';

// The formatter behind console, `util.inspect` and `util.format`.

const library = require('node-inspect-extracted');

const types = require('../lib/inspect-types.js');

const { Proxy: _own, stylizeWithHTML: _html, ...exports_ } = library;

module.exports = { ...exports_, types };
