'use strict';

const is = (left, right) => Object.is(left, right);
is.shim = () => is;

// Both the package itself and its `polyfill` entry, which is called first.
module.exports = (...args) => (args.length === 0 ? is : is(...args));
