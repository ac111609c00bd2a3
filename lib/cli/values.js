'use strict';
// Parses values of options, as a person writes them.

const { InvalidArgumentError } = require('commander');

const MILLISECONDS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const BYTES = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };
const AMOUNT = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i;

function amount(text, units, fallbackUnit, example) {
  const [, number, unit] = AMOUNT.exec(text) ?? [];
  const factor = units[(unit || fallbackUnit).toLowerCase()];
  const value = Math.round(Number(number) * factor);
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError(`Expected something like ${example}.`);
  }
  return value;
}

/** `250`, `250ms`, `1.5s`, `2m`, `1h`, in milliseconds. */
const duration = (text) => amount(text, MILLISECONDS, 'ms', '250ms, 5s or 2m');

/** `4096`, `64kb`, `16mb`, `1gb`, in bytes. */
const bytes = (text) => amount(text, BYTES, 'b', '64kb, 16mb or 1gb');

const WORDS = { b: 'bytes', mb: 'mb' };

/**
 * Makes a parser of sizes like `bytes`, whose results are counted in a unit.
 *
 * @param {'b' | 'mb'} unit also of a number without one
 * @param {{ least?: number, most?: number }} range in that unit
 */
function amountOf(unit, { least = 1, most = Number.MAX_SAFE_INTEGER }) {
  return (text) => {
    const size = amount(text, BYTES, unit, `256${unit}, 256mb or 1gb`);
    const value = size / BYTES[unit];
    if (value >= least && value <= most) return Math.round(value);
    throw new InvalidArgumentError(
      `It must be between ${least} and ${most} ${WORDS[unit]}.`,
    );
  };
}

/** Makes a parser of one of several words. */
function choice(words) {
  return (text) => {
    if (words.includes(text)) return text;
    throw new InvalidArgumentError(`Allowed choices are ${words.join(', ')}.`);
  };
}

function count(text) {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < 1) {
    throw new InvalidArgumentError('Expected a whole number from 1 on.');
  }
  return value;
}

/** A count that may be 0. */
const countOrNone = (text) => (text === '0' ? 0 : count(text));

function port(text) {
  const value = countOrNone(text);
  if (value <= 65_535) return value;
  throw new InvalidArgumentError('Expected a number up to 65535.');
}

module.exports = {
  amountOf,
  bytes,
  choice,
  count,
  countOrNone,
  duration,
  port,
};
