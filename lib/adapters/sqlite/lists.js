'use strict';

const { State } = require('./states.js');

/** A part of a list is cut in two when it has more jobs. */
const MOST = 4096;
const HALF = MOST / 2;
/** The place below every job, unless a list has a `first`. */
const LOWEST = [Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

/** Stored in `mark.list`: a job's state, but for a waiting one with a rank. */
const PRIORITIZED = -1;

/**
 * The lists of a queue: which jobs each has, and the columns that order them,
 * as in the partial indexes. `first` is a place below every job, where that is
 * not the lowest there is.
 */
const LISTS = {
  wait: { list: State.Waiting, where: 'state = 0 AND rank = 0', by: ['seq'] },
  // A condition on the rank is left out, because SQLite would begin at it.
  prioritized: {
    list: PRIORITIZED,
    where: 'state = 0',
    by: ['rank', 'seq'],
    first: [0, Number.MAX_SAFE_INTEGER],
  },
  active: { list: State.Active, where: 'state = 1', by: ['seq'] },
  completed: { list: State.Completed, where: 'state = 2', by: ['fin', 'jid'] },
  failed: { list: State.Failed, where: 'state = 3', by: ['fin', 'jid'] },
  delayed: { list: State.Delayed, where: 'state = 4', by: ['due', 'seq'] },
  'waiting-children': {
    list: State.WaitingChildren,
    where: 'state = 5',
    by: ['due', 'seq'],
  },
};

/** The lists with SQL for both numbers of a place. */
const ALL = Object.values(LISTS).map((type) => {
  const { by } = type;
  return { ...type, a: by.length > 1 ? by[0] : '0', b: by.at(-1) };
});

/** Jobs from a place of a list on. */
function from(by, [a, b]) {
  return by.length > 1
    ? `(${by.join(', ')}) >= (${a}, ${b})`
    : `${by[0]} >= ${b}`;
}

module.exports = { ALL, HALF, LISTS, LOWEST, MOST, from };
