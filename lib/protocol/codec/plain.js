'use strict';
// Recognizes plain objects that do not have the realm's own Object.prototype.

const { getPrototypeOf, hasOwn, isView } = require('./captured.js');
const { isBuffer } = require('./byte-parts.js');

// True for `Object.prototype` of another realm: it ends its chain and has the
// methods of one.
function isForeignPlain(v, prototype) {
  return (
    getPrototypeOf(prototype) === null &&
    hasOwn(prototype, 'isPrototypeOf') &&
    !isView(v) &&
    !isBuffer(v)
  );
}

module.exports = { isForeignPlain };
