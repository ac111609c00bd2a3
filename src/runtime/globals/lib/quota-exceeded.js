'use strict';

const { moduleOf } = require('sw:library');
const { dictionary, enumerable, tag } = require('./webidl.js');

const { DOMException } = moduleOf('internal/per_context/domexception');

function amount(value, name) {
  if (value === undefined) return null;
  const number = Number(value);
  if (!Number.isFinite(number)) {
    throw new TypeError(`QuotaExceededError: the ${name} is not finite`);
  }
  if (number < 0) {
    throw new RangeError(`QuotaExceededError: the ${name} is negative`);
  }
  return number;
}

class QuotaExceededError extends DOMException {
  #quota;
  #requested;

  constructor(message = '', options = undefined) {
    super(message, 'QuotaExceededError');
    const init = dictionary(options, 'QuotaExceededError');
    this.#quota = amount(init.quota, 'quota');
    this.#requested = amount(init.requested, 'request');
    const both = this.#quota !== null && this.#requested !== null;
    if (both && this.#requested < this.#quota) {
      throw new RangeError(
        'QuotaExceededError: the request is within the quota',
      );
    }
  }

  get quota() {
    return this.#quota;
  }

  get requested() {
    return this.#requested;
  }
}
enumerable(QuotaExceededError, ['quota', 'requested']);
tag(QuotaExceededError);

module.exports = { QuotaExceededError };
