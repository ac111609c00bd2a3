'use strict';

/**
 * The `caughtError` of an answer: JSON of an error's own properties, which for
 * an error are its stack and message.
 *
 * @param {unknown} caught anything a handler can throw
 * @returns {string}
 */
function errorText(caught) {
  try {
    const names = Object.getOwnPropertyNames(Object(caught));
    // A DOMException inherits it.
    if (caught?.message && !names.includes('message')) names.push('message');
    return JSON.stringify(caught, names) ?? String(caught);
  } catch {
    // A cycle among the properties, or a getter that throws.
    return plainText(caught);
  }
}

function plainText(caught) {
  try {
    const { stack, message } = caught;
    return JSON.stringify({ stack: String(stack), message: String(message) });
  } catch {
    return JSON.stringify({ message: 'the error cannot be read' });
  }
}

module.exports = { errorText };
