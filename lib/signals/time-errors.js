'use strict';

const { brandClass } = require('../protocol/brand.js');

/** The base of the four errors of `sloppy/time`: an optional `reason`. */
class TimeError extends Error {
  /**
   * @param {string} message
   * @param {{ reason?: unknown, cause?: unknown }} [options] `reason` is not
   *   enumerable, so that logging the error does not print it
   */
  constructor(message, options = undefined) {
    super(message, options ?? undefined);
    Object.defineProperty(this, 'reason', {
      value: options?.reason,
      writable: true,
      configurable: true,
    });
  }
}

/** A time limit passed before the operation was over. */
class TimeoutError extends TimeError {
  constructor(message = 'Operation timed out.', options = undefined) {
    super(message, options);
  }
}

/** The operation's signal was cancelled; `reason` is the signal's reason. */
class CancelledError extends TimeError {
  constructor(message = 'Operation was cancelled.', options = undefined) {
    super(message, options);
  }
}

/** A delay, deadline or interval was not a valid time. */
class InvalidDeadlineError extends TimeError {
  constructor(message = 'Deadline is invalid.', options = undefined) {
    super(message, options);
  }
}

/** A controller, clock or timer was used or pending after its disposal. */
class TimerDisposedError extends TimeError {
  constructor(message = 'Timer has been disposed.', options = undefined) {
    super(message, options);
  }
}

brandClass(TimeoutError, 'TimeoutError');
brandClass(CancelledError, 'CancelledError');
brandClass(InvalidDeadlineError, 'InvalidDeadlineError');
brandClass(TimerDisposedError, 'TimerDisposedError');

module.exports = {
  CancelledError,
  InvalidDeadlineError,
  TimeoutError,
  TimerDisposedError,
};
