'use strict';

// The functions of tr46 that whatwg-url uses. Its tables are a bundle of their
// own, because a domain of plain ASCII needs none of them.

const plain = /^[a-z0-9.\-_]*$/;
const encoded = /(?:^|\.)xn--/;

/** @see tr46 */
function toASCII(domain, options) {
  const low = domain.toLowerCase();
  if (options.useSTD3ASCIIRules !== true && options.verifyDNSLength !== true) {
    if (
      options.checkHyphens !== true &&
      plain.test(low) &&
      !encoded.test(low)
    ) {
      return low;
    }
  }
  return require('sw:idna').toASCII(domain, options);
}

/** @see tr46 */
function toUnicode(domain, options) {
  return require('sw:idna').toUnicode(domain, options);
}

module.exports = { toASCII, toUnicode };
