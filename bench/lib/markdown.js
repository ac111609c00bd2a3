'use strict';

const { figure, goalText, times, verdict } = require('./format.js');
const { OURS, ratio } = require('./judge.js');

const DIRECT = 'direct call';
const row = (cells) => `| ${cells.join(' | ')} |`;
const rule = (count) => row(Array.from({ length: count }, () => '---'));
const majorOf = (result) => result.node.split('.')[0].replace('v', 'Node ');

const isReal = ({ name }) => name.startsWith('real-');
const answerOf = (result, name) =>
  result.answers.find((answer) => answer.name === name);

/**
 * One row for each job of bench/real: of each Node its CPU on the main thread,
 * and what the others take of it.
 */
function realTable(results) {
  const head = ['job'];
  for (const result of results) {
    head.push(`${majorOf(result)}: main thread, ms`, 'Worker', 'ours');
  }
  const rows = [row(head), rule(head.length)];
  for (const { name, title } of results[0].answers.filter(isReal)) {
    const cells = results.flatMap((result) =>
      realCells(answerOf(result, name)?.lines[0]),
    );
    rows.push(row([title, ...cells]));
  }
  const means = results.flatMap((result) => {
    const lines = result.answers.filter(isReal).map(({ lines }) => lines[0]);
    const mean = (name) =>
      geometricMean(lines.map(({ peers }) => share(peers, name))).toFixed(2);
    return ['', mean('worker_threads'), mean(OURS)];
  });
  rows.push(row(['geometric mean', ...means]));
  return rows.join('\n');
}

const share = (peers, name) => ratio(peers[name], peers[DIRECT]);

const geometricMean = (values) =>
  Math.exp(
    values.reduce((sum, value) => sum + Math.log(value), 0) / values.length,
  );

function realCells(line) {
  if (line === undefined) return ['–', '–', '–'];
  const { peers, goals } = line;
  const ours = share(peers, OURS).toFixed(2);
  const isMissed = goals.some((goal) => verdict(goal) === 'no');
  return [
    figure(peers[DIRECT].median),
    share(peers, 'worker_threads').toFixed(2),
    isMissed ? `**${ours}**` : ours,
  ];
}

/**
 * One row for each goal of the other questions: of each Node the ratio, and our
 * figure in brackets.
 */
function goalsTable(results) {
  const head = ['question', 'goal', ...results.map(majorOf)];
  const rows = [row(head), rule(head.length)];
  for (const answer of results[0].answers) {
    if (isReal(answer)) continue;
    // An ellipsis stands for the words of the row above.
    let before = `${answer.title}: `;
    answer.lines.forEach((line, at) => {
      let what = `${before}${line.title}`.replace(/: median$/, '');
      line.goals.forEach((goal, n) => {
        const cells = results.map((result) => {
          const other = answerOf(result, answer.name);
          return goalCell(other?.lines[at], n);
        });
        rows.push(row([what, goalText(goal, line), ...cells]));
        what = '…';
        before = '… ';
      });
    });
    for (const [what, why] of Object.entries(answer.missing)) {
      if (!what.startsWith(OURS)) continue;
      const none = results.map(() => '–');
      rows.push(row([`${answer.title}: ${what}`, why, ...none]));
    }
  }
  return rows.join('\n');
}

function goalCell(line, n) {
  const goal = line?.goals[n];
  if (goal?.value === undefined) return '–';
  const ours = amount(line.peers[OURS].median, line.unit);
  const ratio = n === 0 ? `${times(goal.value)} (${ours})` : times(goal.value);
  const text = goal.limit === undefined ? ratio : ours;
  return verdict(goal) === 'no' ? `**${text}**` : text;
}

/** From a thousand on in the next unit, because that is shorter to read. */
function amount(value, unit) {
  const larger = { µs: 'ms', KB: 'MB' }[unit];
  if (value >= 1000 && larger !== undefined) {
    return amount(value / 1000, larger);
  }
  return `${figure(value)} ${unit}`.replace(' /s', '/s').trim();
}

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

module.exports = { figuresTable, goalsTable, realTable };
