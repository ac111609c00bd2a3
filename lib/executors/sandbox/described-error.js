'use strict';
// Errors from a sandbox, as its process describes them. Somebody may have made
// the description by hand, so it is made anew of what it may consist of.

const { Limit } = require('../../protocol/wire.gen.js');

const MAX_CAUSES = 8;
const MAX_ERRORS = 64;
const MAX_PROPERTIES = 256;
const OPAQUE = { __proto__: null, opaque: 'error' };

const { entries, hasOwn } = Object;
const isObject = (value) => typeof value === 'object' && value !== null;

const textOf = (value) =>
  typeof value === 'string' ? value.slice(0, Limit.ErrorText) : undefined;

function propertiesOf(props) {
  const made = { __proto__: null };
  if (!isObject(props)) return made;
  for (const [key, value] of entries(props).slice(0, MAX_PROPERTIES)) {
    made[key] = value;
  }
  return made;
}

function describe(given, depth) {
  if (!isObject(given) || depth > MAX_CAUSES) return OPAQUE;
  if (hasOwn(given, 'value')) return { __proto__: null, value: given.value };
  const type = textOf(given.type);
  if (type === undefined) {
    return { __proto__: null, opaque: textOf(given.opaque) };
  }
  const made = {
    __proto__: null,
    type,
    name: textOf(given.name),
    message: textOf(given.message),
    stack: textOf(given.stack),
    props: propertiesOf(given.props),
    // Source maps of the owner's files are not its to ask for.
    mapped: true,
  };
  if (given.cause !== undefined) made.cause = describe(given.cause, depth + 1);
  if (Array.isArray(given.errors)) {
    const some = given.errors.slice(0, MAX_ERRORS);
    made.errors = some.map((each) => describe(each, depth + 1));
  }
  return made;
}

/**
 * @param {unknown} given a plain value
 * @returns {object} for rebuildError()
 */
const describedError = (given) => describe(given, 0);

module.exports = { describedError };
