'use strict';
// A checkpoint may have been changed, or written by another program, so each of
// its fields is checked before any is used.

const isCount = (value) => Number.isSafeInteger(value) && value >= 0;
const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTextList = (value) =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
const isDistinct = (names) => new Set(names).size === names.length;
const orNothing = (check) => (value) => value == null || check(value);

/** Ranges beyond the position, in order, of which none touches another. */
function areRanges(ahead, position) {
  if (!Array.isArray(ahead)) return false;
  let from = position;
  return ahead.every((range) => {
    if (!isObject(range)) return false;
    const { start, end, index } = range;
    const fits = [start, end, index].every(isCount) && start >= from;
    from = end;
    return fits && start < end;
  });
}

const isIdentity = (input) =>
  isObject(input) &&
  isCount(input.size) &&
  Number.isFinite(input.mtimeMs) &&
  typeof input.prefix === 'string';

const isProgress = (progress) =>
  isObject(progress) &&
  isCount(progress.position) &&
  isCount(progress.index) &&
  areRanges(progress.ahead, progress.position);

const isFormatterState = (state) =>
  isObject(state) &&
  orNothing(isTextList)(state.columns) &&
  orNothing(isCount)(state.hidden) &&
  orNothing((value) => typeof value === 'boolean')(state.isBegun);

const areCounts = (counts) =>
  isObject(counts) &&
  ['records', 'written', 'dropped', 'failed'].every((name) =>
    isCount(counts[name]),
  );

const FIELDS = {
  isFinished: (value) => typeof value === 'boolean',
  input: isIdentity,
  setup: isObject,
  progress: isProgress,
  header: orNothing(isTextList),
  outputBytes: isCount,
  failureBytes: orNothing(isCount),
  formatter: isFormatterState,
  counts: areCounts,
};

/**
 * @param {unknown} state what a checkpoint holds
 * @returns {string | undefined} name of the first wrong field
 */
function oddField(state) {
  if (!isObject(state)) return 'version';
  const odd = Object.keys(FIELDS).find((name) => !FIELDS[name](state[name]));
  if (odd !== undefined) return odd;
  // The columns must be known after the first record of CSV, because the next
  // row would be taken for them.
  const { setup, header, failureBytes } = state;
  const isNamed = setup.format === 'csv' && setup.header === true;
  if (isNamed && state.progress.position > 0 && !header?.length)
    return 'header';
  if (isNamed && header != null && !isDistinct(header)) return 'header';
  // The file of dead letters would be emptied without its length.
  const hasFailures = setup['dead-letter file'] != null;
  if (hasFailures && failureBytes == null) return 'failureBytes';
  // Nothing is done behind the input's end.
  const { position, ahead } = state.progress;
  const last = ahead.at(-1)?.end ?? position;
  return last > state.input.size ? 'progress' : undefined;
}

module.exports = { oddField };
