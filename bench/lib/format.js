'use strict';

/** Three figures are more than a noisy machine can tell. */
function figure(value) {
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1000) return groupThousands(Number(value.toPrecision(3)));
  return String(Number(value.toPrecision(size < 1 ? 2 : 3)));
}

const groupThousands = (value) =>
  String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ' ');

const times = (value) => `${figure(value)}×`;

/** @returns {string} what a goal asks, in words */
function goalText(goal, line) {
  const bound = line.better === 'lower' ? '≤' : '≥';
  if (goal.limit !== undefined) return `${bound} ${goal.limit} ${line.unit}`;
  const ratio =
    goal.ratio > 0 && goal.ratio < 0.2
      ? `1/${figure(1 / goal.ratio)}`
      : times(goal.ratio);
  const other = goal.line === undefined ? goal.peer : `our "${goal.line}"`;
  return `${bound} ${ratio} ${other === 'best' ? 'the best peer' : other}`;
}

const verdict = ({ met }) =>
  met === null ? 'not measured' : met ? 'yes' : 'no';

module.exports = { figure, goalText, times, verdict };
