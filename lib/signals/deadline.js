'use strict';

const { InvalidDeadlineError } = require('./time-errors.js');
const {
  ceil,
  freeze,
  isFiniteNumber,
  max,
  now,
} = require('../base/primordials.js');

/** The longest delay there is: 2^32 - 1 ms, about 49.7 days. */
const MAX_DELAY_MS = 0xffffffff;

const CREATE = Symbol('create');

/**
 * Validates a delay and rounds it up to whole milliseconds.
 *
 * @param {string} operation prefix of the error text, e.g. `Time.delay`
 * @param {unknown} ms
 * @returns {number}
 * @throws {InvalidDeadlineError}
 */
function checkDelay(operation, ms) {
  if (typeof ms !== 'number' || !(ms >= 0 && ms <= MAX_DELAY_MS)) {
    throw new InvalidDeadlineError(
      `${operation} requires a finite non-negative millisecond delay ` +
        `no greater than ${MAX_DELAY_MS}.`,
    );
  }
  return ceil(ms);
}

function toUnixMs(value) {
  try {
    return Number(value);
  } catch {
    // Symbols and objects that refuse conversion are "not finite" as well.
    return Number.NaN;
  }
}

/**
 * An instant of the monotonic clock, because changes of the wall clock must not
 * move it. Frozen; made by the three factories.
 */
class Deadline {
  static #never;
  kind;
  expiresAtMonotonicMs;

  constructor(token, kind, expiresAtMonotonicMs) {
    if (token !== CREATE) {
      throw new TypeError(
        'Use Deadline.after(), Deadline.at() or Deadline.never().',
      );
    }
    this.kind = kind;
    this.expiresAtMonotonicMs = expiresAtMonotonicMs;
    freeze(this);
  }

  /**
   * @param {number} ms 0 to 4294967295, rounded up
   * @returns {Deadline}
   * @throws {InvalidDeadlineError}
   */
  static after(ms) {
    const delayMs = checkDelay('Deadline.after', ms);
    return new Deadline(CREATE, 'after', now() + delayMs);
  }

  /**
   * Converted to the monotonic clock once; a past date is already expired.
   *
   * @param {Date | number} dateOrUnixMs
   * @returns {Deadline}
   * @throws {InvalidDeadlineError}
   */
  static at(dateOrUnixMs) {
    const unixMs = toUnixMs(dateOrUnixMs);
    if (!isFiniteNumber(unixMs)) {
      throw new InvalidDeadlineError(
        'Deadline.at requires a finite Date or Unix millisecond value.',
      );
    }
    return Deadline.after(max(0, unixMs - Date.now()));
  }

  /** @returns {Deadline} one that never expires */
  static never() {
    Deadline.#never ??= new Deadline(CREATE, 'never', Infinity);
    return Deadline.#never;
  }

  /** @returns {number} milliseconds left, never negative */
  remainingMs() {
    return max(0, this.expiresAtMonotonicMs - now());
  }

  get expired() {
    return this.remainingMs() <= 0;
  }
}

/**
 * A timer for limits that may exceed the longest delay, such as `timeoutMs`.
 *
 * @param {number} expiresAtMonotonicMs instant of performance.now()
 * @returns {Deadline}
 */
function deadlineAt(expiresAtMonotonicMs) {
  return new Deadline(CREATE, 'after', expiresAtMonotonicMs);
}

module.exports = { Deadline, MAX_DELAY_MS, checkDelay, deadlineAt };
