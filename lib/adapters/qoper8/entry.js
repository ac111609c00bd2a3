'use strict';

/**
 * An entry is one queued message: `{ no, request, callback, reject, context,
 * pace, offer }`: the async context its callback belongs to if any, how quick
 * its type is, and its number with the worker it was sent to.
 */

const answers = require('./answers.js');
const { surface } = require('./events.js');

/** Calls back. An error of the callback is the caller's own. */
function settle(worker, entry, answer) {
  const { callback, context } = entry;
  if (!callback) return;
  try {
    if (context === undefined) callback(answer, worker.id);
    else context.runInAsyncScope(callback, undefined, answer, worker.id);
  } catch (err) {
    surface(err);
  }
}

/**
 * The message could not be saved and is no entry.
 *
 * @throws if there is no callback, because the message must not be lost
 *   silently
 */
function refuseUnsaved(request, callback, reject, error) {
  if (reject !== undefined) reject(error);
  else if (callback) callback(answers.unsavedError(request, error));
  else throw error;
}

module.exports = { refuseUnsaved, settle };
