'use strict';

const { figure } = require('./format.js');
const { OURS } = require('./judge.js');

// Validated for colour-blind readers on white; ours is the first.
const OURS_COLOUR = '#2a78d6';
const OTHER_COLOUR = '#b9b8b2';
const INK = '#1f1e1b';
const FAINT = '#6b6a64';
const WIDTH = 900;
const COLUMN = 300;
const BAR = 11;
const STEP = 15;
const LABEL = 118;
const LINE = 14;
// Characters that fit into a column.
const TITLE = 42;
const UNIT = 50;

const escapeText = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function textAt(x, y, text, more = '') {
  return `<text x="${x}" y="${y}" ${more}>${escapeText(text)}</text>`;
}

/** The lines of text above the bars. */
function headOf({ title, lines: [line] }) {
  const unit = `${line.title}, ${line.unit}, ${line.better} is better`;
  return [
    ...wrap(title, TITLE).map((text) => [text, 'font-weight="600"']),
    ...wrap(unit, UNIT).map((text) => [text, `fill="${FAINT}" font-size="10"`]),
  ];
}

/** The bars of one question's first line, each relative to the longest. */
function panel(answer, left, top, headLines) {
  const [line] = answer.lines;
  const entries = Object.entries(line.peers)
    .map(([peer, { median }]) => ({ peer, value: median }))
    .sort((a, b) =>
      line.better === 'lower' ? a.value - b.value : b.value - a.value,
    );
  const longest = Math.max(...entries.map(({ value }) => value));
  const room = COLUMN - LABEL - 70;
  const parts = headOf(answer).map(([text, more], n) =>
    textAt(left, top + 13 + n * LINE, text, more),
  );
  entries.forEach(({ peer, value }, n) => {
    const y = top + 8 + headLines * LINE + n * STEP;
    const width = Math.max((value / longest) * room, 1);
    const ours = peer.startsWith(OURS);
    const colour = ours ? OURS_COLOUR : OTHER_COLOUR;
    const label = `text-anchor="end" font-size="10"${ours ? ' font-weight="600"' : ''}`;
    parts.push(
      textAt(left + LABEL - 6, y + 9, shorten(peer), label),
      `<rect x="${left + LABEL}" y="${y}" width="${width.toFixed(1)}" ` +
        `height="${BAR}" rx="2" fill="${colour}"/>`,
      textAt(left + LABEL + width + 4, y + 9, figure(value), 'font-size="10"'),
    );
  });
  return parts.join('\n');
}

const shorten = (peer) => {
  const text = peer.replace('sloppy-workers', 'ours');
  return text.length > 20 ? `${text.slice(0, 19)}…` : text;
};

function wrap(text, width) {
  const cut = text.lastIndexOf(' ', width);
  if (text.length <= width || cut < 0) return [text];
  return [text.slice(0, cut), ...wrap(text.slice(cut + 1), width)];
}

const barsOf = ({ lines: [line] }) => Object.keys(line.peers).length;

/**
 * Small multiples, one for each question, three to a row.
 *
 * @param {{ node: string, answers: object[] }} result
 * @returns {string} an SVG on white
 */
function overviewChart({ node, answers }) {
  const shown = answers.filter(
    ({ lines: [line] }) => Object.keys(line.peers).length > 0,
  );
  const parts = [];
  let top = 44;
  for (let n = 0; n < shown.length; n += 3) {
    const row = shown.slice(n, n + 3);
    const headLines = Math.max(...row.map((answer) => headOf(answer).length));
    row.forEach((answer, column) => {
      parts.push(panel(answer, 16 + column * COLUMN, top, headLines));
    });
    top += headLines * LINE + Math.max(...row.map(barsOf)) * STEP + 32;
  }
  const heading = `sloppy-workers and its peers on Node ${node.slice(1)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + 20}" height="${top}" viewBox="0 0 ${WIDTH + 20} ${top}" font-family="system-ui, sans-serif" font-size="11" fill="${INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
${textAt(16, 26, heading, 'font-size="16" font-weight="600"')}
${parts.join('\n')}
</svg>
`;
}

module.exports = { overviewChart };
