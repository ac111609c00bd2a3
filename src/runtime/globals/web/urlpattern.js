'use strict';

const { URLPattern } = require('urlpattern-polyfill/urlpattern');

module.exports = { URLPattern };
