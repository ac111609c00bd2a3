'use strict';
// JSON.parse makes doubles of numbers, which hold 53 bits of an integer: an
// identifier of 17 digits becomes another one, without a word. Loaded in
// isolates too, for the records of `map`.

const MANY_DIGITS = /\d{16}/;
const TEXT = /"(?:[^"\\]|\\.)*"/g;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const INTEGER = /^-?\d+$/;

// JavaScript writes large doubles with zeros in the place of digits that it does
// not need: what it has written itself comes back as the same number.
const isKept = (digits) => {
  const number = Number(digits);
  if (String(number) === digits) return true;
  return Number.isFinite(number) && BigInt(number) === BigInt(digits);
};

/**
 * @param {string} json that parses
 * @returns {boolean} whether an integer in it is none that a double can hold
 */
function losesDigits(json) {
  if (!MANY_DIGITS.test(json)) return false;
  const numbers = json.replaceAll(TEXT, '""').match(NUMBER) ?? [];
  return numbers.some((number) => INTEGER.test(number) && !isKept(number));
}

module.exports = { losesDigits };
