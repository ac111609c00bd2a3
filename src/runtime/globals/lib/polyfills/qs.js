'use strict';

// `url` asks for qs only where Node's own module asks for querystring.

const querystring = require('node:querystring');

module.exports = {
  parse: (text) => querystring.parse(text),
  stringify: (object) => querystring.stringify(object),
};
