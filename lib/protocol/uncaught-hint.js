'use strict';
// Node prints an error that nobody caught with its own properties and without
// its custom inspection, so that a hint stood there twice: see hinted-stack.js.

const { hideHint } = require('./hinted-stack.js');

const EVENT = 'uncaughtExceptionMonitor';
const MAX_CAUSES = 16;
// Test runners have many copies of the package; Node would warn of more.
const MAX_LISTENERS = 8;
let isWatching = false;

// Somebody who catches it may want the property, as loggers do.
const isHandled = () =>
  process.listenerCount('uncaughtException') > 0 ||
  process.hasUncaughtExceptionCaptureCallback();

function beforePrinted(error) {
  try {
    if (isHandled()) return;
    let each = error;
    for (let i = 0; i < MAX_CAUSES && each instanceof Error; i++) {
      hideHint(each);
      each = each.cause;
    }
  } catch {
    // It is printed twice.
  }
}

/** Begins with the first error of ours. Never throws. */
function watchUncaught() {
  if (isWatching) return;
  isWatching = true;
  try {
    if (process.listenerCount(EVENT) < MAX_LISTENERS) {
      process.on(EVENT, beforePrinted);
    }
  } catch {
    // A process of somebody's own, or no room on the stack.
  }
}

module.exports = { watchUncaught };
