'use strict';

module.exports = { deprecate: (fn) => fn };
