'use strict';
// Objects without a prototype: assigning to a field or an element of another
// object would call an accessor on Object.prototype or Array.prototype.

const { setPrototypeOf } = Object;

/**
 * Removes Object.prototype from the chain of an internal class.
 *
 * @param {Function} Class one without a superclass
 */
function bareClass(Class) {
  setPrototypeOf(Class.prototype, null);
}

/** @returns {unknown[]} an array without methods */
const bareList = () => setPrototypeOf([], null);

/** The `push` of a bare list. */
function append(list, value) {
  list[list.length] = value;
}

/** The `pop` of a bare list that is not empty. */
function takeLast(list) {
  const last = list[list.length - 1];
  list.length -= 1;
  return last;
}

module.exports = { append, bareClass, bareList, takeLast };
