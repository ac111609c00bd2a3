'use strict';

const { URLPattern } = require('urlpattern-polyfill/urlpattern');

const { enumerable, tag } = require('../lib/webidl.js');

enumerable(URLPattern, [
  'test',
  'exec',
  'protocol',
  'username',
  'password',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
  'hasRegExpGroups',
]);
tag(URLPattern, 'URLPattern');

module.exports = { URLPattern };
