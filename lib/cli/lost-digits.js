'use strict';
// JSON.parse makes doubles of numbers, which hold 53 bits of an integer: an
// identifier of 17 digits silently becomes another one. Loaded in isolates too,
// for the records of `map`.

const MANY_DIGITS = /\d[\d.]{15}/;
const TEXT = /"(?:[^"\\]|\\.)*"/g;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const PARTS = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

// The parts of `120`, `1.2e2` and `120.0` are 12 and 1: its digits, and how many
// zeros follow.
function significant(text) {
  const [, whole, fraction = '', exponent = '0'] = PARTS.exec(text);
  const digits = (whole + fraction).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  const zeros =
    Number(exponent) - fraction.length + digits.length - kept.length;
  return { digits: kept, zeros };
}

// Fractions may be rounded. JavaScript writes a large double with trailing
// zeros; such a text is accepted, because it yields the same number.
function losesItsDigits(text) {
  const { digits, zeros } = significant(text);
  if (digits.length < 16 || zeros < 0) return false;
  const number = Math.abs(Number(text));
  if (!Number.isFinite(number)) return true;
  if (significant(String(number)).digits === digits) return false;
  return BigInt(number) !== BigInt(digits + '0'.repeat(zeros));
}

/**
 * @param {string} json that parses
 * @returns {boolean} whether an integer in it does not fit in a double
 */
function losesDigits(json) {
  if (!MANY_DIGITS.test(json)) return false;
  const numbers = json.replaceAll(TEXT, '""').match(NUMBER) ?? [];
  return numbers.some(losesItsDigits);
}

module.exports = { losesDigits };
