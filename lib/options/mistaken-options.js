'use strict';
// Refuses misspelled options, because an option that is not read is a limit
// that does not hold. A name that resembles one of ours, is another library's
// name for it, or is an option of another call is refused with what to do
// instead. All others are ignored, as the specification says (section 0.2).

const { includes } = require('../base/primordials.js');
const { ALL, STOP, takerOf } = require('./option-sets.js');
const { ELSEWHERE, INSTEAD } = require('./table.gen.js');

const { keys } = Object;

const MAX_NAME = 64;
// Short names of other calls resemble too much.
const LONG = ALL.filter(({ length }) => length > 5);

/** The part of a name's characters that may differ: `set` is not taken for `key`. */
const maxEdits = ({ length }) => (length < 5 ? 1 : 2);

/** Number of characters that differ; a moved one counts twice. */
function distance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + same);
    }
    row = next;
  }
  return row[b.length];
}

const nearOf = (small, known) =>
  known.find((each) => distance(small, each.toLowerCase()) <= maxEdits(each));

function suggestion(name, known) {
  const small = name.toLowerCase();
  const same = known.find((each) => each.toLowerCase() === small);
  if (same !== undefined) return same;
  let meant = ELSEWHERE[small];
  if (known.includes(meant)) return meant;
  // An option of another kind comes after the advice on what to do instead.
  if (INSTEAD[small] !== undefined) return undefined;
  while (meant !== undefined) {
    if (known.includes(meant)) return meant;
    meant = ELSEWHERE[meant.toLowerCase()];
  }
  return nearOf(small, known);
}

/** Advice on an option that this call does not take, if it is known at all. */
function adviceOn(name, small) {
  const taker = takerOf(name);
  if (taker !== undefined) return `it is one of ${taker}.`;
  const instead = INSTEAD[small];
  if (instead !== undefined) return instead;
  const meant = ELSEWHERE[small] ?? nearOf(small, LONG);
  return meant === undefined
    ? undefined
    : `did you mean "${meant}"? It is one of ${takerOf(meant)}.`;
}

/**
 * @param {string} operation prefix of the error's text
 * @param {string} name none of the known ones
 * @param {readonly string[]} known
 * @throws {TypeError} if it resembles a known one, is one of another call's, or
 *   of another library's
 */
function refuseName(operation, name, known) {
  if (name.length > MAX_NAME) return;
  const meant = suggestion(name, known);
  const advice =
    meant === undefined
      ? adviceOn(name, name.toLowerCase())
      : `did you mean "${meant}"?`;
  if (advice === undefined) return;
  throw new TypeError(`${operation} has no option "${name}"; ${advice}`);
}

/**
 * @param {string} operation prefix of the error's text
 * @param {object} bag from `plainOptions`
 * @param {readonly string[]} known
 * @throws {TypeError} for an unknown option as `refuseName` refuses it
 */
function refuseMistaken(operation, bag, known) {
  const names = keys(bag);
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i];
    if (includes(known, name) || bag[name] === undefined) continue;
    refuseName(operation, name, known);
  }
}

/**
 * @param {string} operation prefix of the error's text
 * @param {object} bag options of `stop`
 * @returns {boolean} whether what is queued may finish
 * @throws {TypeError}
 */
function readDrain(operation, bag) {
  refuseMistaken(operation, bag, STOP.names);
  const drain = bag.drain ?? true;
  if (typeof drain !== 'boolean') {
    throw new TypeError(`${operation} drain must be a boolean.`);
  }
  return drain;
}

module.exports = { readDrain, refuseMistaken, refuseName };
