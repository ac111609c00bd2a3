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

const escapeText = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

function textAt(x, y, text, more = '') {
  return `<text x="${x}" y="${y}" ${more}>${escapeText(text)}</text>`;
}

/** The bars of one question's first line, each relative to the longest. */
function panel({ title, lines: [line] }, left, top) {
  const entries = Object.entries(line.peers)
    .map(([peer, { median }]) => ({ peer, value: median }))
    .sort((a, b) =>
      line.better === 'lower' ? a.value - b.value : b.value - a.value,
    );
  const longest = Math.max(...entries.map(({ value }) => value));
  const room = COLUMN - LABEL - 70;
  const parts = wrap(title, 46).map((part, n) =>
    textAt(left, top + 13 + n * 14, part, 'font-weight="600"'),
  );
  const unit = `${line.title}, ${line.unit}, ${line.better} is better`;
  parts.push(textAt(left, top + 41, unit, `fill="${FAINT}" font-size="10"`));
  entries.forEach(({ peer, value }, n) => {
    const y = top + 50 + n * STEP;
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
  return text.length > 22 ? `${text.slice(0, 21)}…` : text;
};

function wrap(text, width) {
  if (text.length <= width) return [text];
  const cut = text.lastIndexOf(' ', width);
  return [text.slice(0, cut), text.slice(cut + 1)];
}

const heightOf = ({ lines: [line] }) =>
  62 + Object.keys(line.peers).length * STEP;

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
    row.forEach((answer, column) => {
      parts.push(panel(answer, 16 + column * COLUMN, top));
    });
    top += Math.max(...row.map(heightOf)) + 12;
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
