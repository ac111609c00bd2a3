'use strict';

const { figure, goalText, times, verdict } = require('./format.js');
const { OURS } = require('./judge.js');

const row = (cells) => `| ${cells.join(' | ')} |`;
const rule = (count) => row(Array.from({ length: count }, () => '---'));
const majorOf = (result) => result.node.split('.')[0].replace('v', 'Node ');

/** One row for each goal, with what every Node made of it. */
function goalsTable(results) {
  const head = ['question', 'goal'];
  for (const result of results) {
    const node = majorOf(result);
    head.push(`${node}: ours`, 'the other', 'ratio', 'met');
  }
  const rows = [row(head), rule(head.length)];
  for (const answer of results[0].answers) {
    answer.lines.forEach((line, at) => {
      line.goals.forEach((goal, n) => {
        const cells = [`${answer.title}: ${line.title}`, goalText(goal, line)];
        for (const result of results) {
          const other = result.answers.find(({ name }) => name === answer.name);
          cells.push(...goalCells(other?.lines[at], n));
        }
        rows.push(row(cells));
      });
    });
    for (const [what, why] of Object.entries(answer.missing)) {
      if (!what.startsWith(OURS)) continue;
      rows.push(row([`${answer.title}: ${what}`, why, ...absent(results)]));
    }
  }
  return rows.join('\n');
}

const absent = (results) => results.flatMap(() => ['–', '–', '–', 'no']);

function goalCells(line, n) {
  const goal = line?.goals[n];
  if (goal?.value === undefined) return ['–', '–', '–', 'not measured'];
  const ours = withUnit(line.peers[OURS].median, line.unit);
  const theirs = line.peers[goal.peer];
  const other = theirs ? withUnit(theirs.median, line.unit) : '';
  const ratio = goal.limit === undefined ? times(goal.value) : '';
  const met = verdict(goal);
  return [ours, other, ratio, met === 'no' ? '**no**' : met];
}

const withUnit = (value, unit) =>
  `${figure(value)} ${unit}`.replace(' /s', '/s');

/** Every figure of one Node, median and middle half of the rounds. */
function figuresTable(result) {
  const parts = [`### ${majorOf(result)} (${result.node})`];
  for (const { title, lines, failed, missing } of result.answers) {
    const head = [`${title}`, ...lines.map(lineHead)];
    const rows = [row(head), rule(head.length)];
    for (const peer of peersOf(lines)) {
      rows.push(row([peer, ...lines.map(({ peers }) => cell(peers[peer]))]));
    }
    for (const [peer, why] of Object.entries({ ...failed, ...missing })) {
      rows.push(
        row([peer, why.split('\n')[0], ...lines.slice(1).map(() => '')]),
      );
    }
    parts.push(rows.join('\n'));
  }
  return parts.join('\n\n');
}

const lineHead = ({ title, unit }) => `${title}, ${unit}`;
const peersOf = (lines) => [
  ...new Set(lines.flatMap(({ peers }) => Object.keys(peers))),
];

function cell(result) {
  if (result === undefined) return '–';
  const { median, low, high } = result;
  return `${figure(median)} (${figure(low)} to ${figure(high)})`;
}

module.exports = { figuresTable, goalsTable };
