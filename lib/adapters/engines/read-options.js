'use strict';

const { isPlainObject } = require('../../base/validate.js');

/**
 * Reads an option bag and refuses unknown names, because an ignored option
 * would be noticed only in production.
 *
 * @param {string} subject begins the error's text, e.g. `Queue.add`
 * @param {unknown} value `undefined` and `null` mean no options
 * @param {readonly string[]} known
 * @param {string} [instead] advice about an unknown one
 * @returns {object} a copy without a prototype
 * @throws {TypeError}
 */
function readOptions(subject, value, known, instead = '') {
  if (value === undefined || value === null) return { __proto__: null };
  if (!isPlainObject(value)) {
    throw new TypeError(`${subject} options must be a plain object.`);
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name) || value[name] === undefined) continue;
    throw new TypeError(
      `${subject} has no option ${JSON.stringify(name)}.${instead}`,
    );
  }
  return { __proto__: null, ...value };
}

const TYPES = {
  boolean: (value) => typeof value === 'boolean',
  function: (value) => typeof value === 'function',
  string: (value) => typeof value === 'string',
};

/** @throws {TypeError} `value` is given and of another type */
function checkType(subject, name, value, type) {
  if (value === undefined || TYPES[type](value)) return value;
  throw new TypeError(`${subject} ${name} must be a ${type}.`);
}

/** @throws {TypeError} `value` is given, and no finite number from `min` on */
function checkNumber(subject, name, value, min = 0) {
  if (value === undefined) return value;
  if (Number.isFinite(value) && value >= min) return value;
  throw new TypeError(
    `${subject} ${name} must be a finite number, ${min} or more.`,
  );
}

module.exports = { checkNumber, checkType, readOptions };
