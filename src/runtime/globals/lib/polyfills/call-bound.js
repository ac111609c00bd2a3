'use strict';

/** `call-bind/callBound` for the one kind of name that `assert` asks for. */
module.exports = function callBound(name) {
  const value = name
    .replaceAll('%', '')
    .split('.')
    .reduce((holder, part) => holder[part], globalThis);
  return Function.prototype.call.bind(value);
};
