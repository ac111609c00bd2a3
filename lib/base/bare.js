'use strict';
// Objects of our own that no accessor on Object.prototype or Array.prototype
// reaches: assigning to a field or an element would call it instead.

const { setPrototypeOf } = Object;

/**
 * Cuts the chain behind a class that is never handed out.
 *
 * @param {Function} Class one without a superclass
 */
function bareClass(Class) {
  setPrototypeOf(Class.prototype, null);
}

/** @returns {unknown[]} an array without methods */
const bareList = () => setPrototypeOf([], null);

/** As `push`, for a bare list. */
function append(list, value) {
  list[list.length] = value;
}

/** As `pop`, for a bare list that is not empty. */
function takeLast(list) {
  const last = list[list.length - 1];
  list.length -= 1;
  return last;
}

module.exports = { append, bareClass, bareList, takeLast };
