import time from './time.js';

export const {
  CancellationController,
  CancelledError,
  Deadline,
  InvalidDeadlineError,
  Time,
  TimeoutError,
  TimerDisposedError,
} = time;
