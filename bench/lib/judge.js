'use strict';

const { median } = require('./stats.js');

const OURS = 'sloppy-workers';
const FLOORS = ['direct call', 'memcpy', 'bare node', 'V8 alone'];

/**
 * Whether a line meets its goals. A ratio is the median of the ratios of the
 * rounds, because neighbours in time share the machine's mood.
 *
 * @param {object} line
 * @param {object[]} lines all of the question, for goals against another line
 * @param {object[]} goals `{ peer, ratio }`, `{ line, ratio }` (of our own),
 *   `{ peer: 'best', ratio }`, or `{ limit }`; all at most where lower is better, else at least
 */
function judge(line, lines, goals) {
  const ours = line.peers[OURS];
  const meets = (value, wanted) =>
    line.better === 'lower' ? value <= wanted : value >= wanted;
  return goals.map((goal) => {
    if (ours === undefined) return { ...goal, met: null };
    if (goal.limit !== undefined) {
      const value = ours.median;
      return { ...goal, value, met: meets(value, goal.limit) };
    }
    const theirs = opponent(goal, line, lines);
    if (theirs === undefined) return { ...goal, met: null };
    const value = ratio(ours, theirs);
    return { ...goal, value, met: meets(value, goal.ratio) };
  });
}

function opponent(goal, line, lines) {
  if (goal.line !== undefined) {
    return lines.find(({ key }) => key === goal.line)?.peers[OURS];
  }
  return goal.peer === 'best' ? bestPeer(line) : line.peers[goal.peer];
}

function bestPeer({ peers, better }) {
  let best;
  for (const [name, result] of Object.entries(peers)) {
    if (name.startsWith(OURS) || FLOORS.includes(name)) continue;
    const ahead =
      better === 'lower'
        ? result.median < best?.median
        : result.median > best?.median;
    if (best === undefined || ahead) best = result;
  }
  return best;
}

function ratio(ours, theirs) {
  const pairs = Math.min(ours.values.length, theirs.values.length);
  const ratios = [];
  for (let i = 0; i < pairs; i += 1) {
    ratios.push(ours.values[i] / theirs.values[i]);
  }
  return median(ratios);
}

module.exports = { FLOORS, OURS, judge, ratio };
