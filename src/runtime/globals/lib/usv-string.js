'use strict';

/* global host */

/** The text without lone surrogates; older V8s have no method for it. */
function wellFormed(text) {
  return text.toWellFormed?.() ?? host.utf8Decode(host.utf8Encode(text));
}

module.exports = { wellFormed };
