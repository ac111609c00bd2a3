'use strict';

const { figure } = require('./format.js');

const LINE = '#2a78d6';
const GRID = '#e4e3de';
const INK = '#1f1e1b';
const FAINT = '#6b6a64';
const WIDTH = 420;
const HEIGHT = 150;
const LEFT = 44;
const TOP = 70;
const GAP = 70;

const nearby = (x, y, text, more) =>
  `<text x="${x}" y="${y}" ${more}>${text}</text>`;

/** One panel: from 0 to a little above the highest point. */
function panel({ title, total, points }, left) {
  const top =
    Math.ceil((Math.max(...points.map(({ y }) => y)) * 1.1) / 20) * 20;
  const xOf = (x) => left + (x / total) * WIDTH;
  const yOf = (y) => TOP + HEIGHT - (y / top) * HEIGHT;
  const parts = [nearby(left, TOP - 14, title, 'font-weight="600"')];
  for (const part of [0, 0.5, 1]) {
    const y = yOf(top * part);
    parts.push(
      `<line x1="${left}" x2="${left + WIDTH}" y1="${y}" y2="${y}" stroke="${GRID}"/>`,
      nearby(
        left - 6,
        y + 4,
        figure(top * part),
        `text-anchor="end" fill="${FAINT}"`,
      ),
      nearby(
        xOf(total * part),
        TOP + HEIGHT + 16,
        figure(total * part),
        `text-anchor="middle" fill="${FAINT}"`,
      ),
    );
  }
  const path = points
    .map(
      ({ x, y }) =>
        `${xOf(Math.min(x, total)).toFixed(1)},${yOf(y).toFixed(1)}`,
    )
    .join(' ');
  parts.push(
    `<polyline points="${path}" fill="none" stroke="${LINE}" stroke-width="2"/>`,
  );
  return parts.join('\n');
}

/**
 * Panels side by side, each with its own scales.
 *
 * @param {string} heading
 * @param {{ title: string, total: number, points: { x: number, y: number
 *   }[] }[]} panels
 * @returns {string} an SVG on white
 */
function lineChart(heading, panels) {
  const width = LEFT + panels.length * (WIDTH + GAP);
  const height = TOP + HEIGHT + 34;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11" fill="${INK}">
<rect width="100%" height="100%" fill="#ffffff"/>
${nearby(16, 26, heading, 'font-size="16" font-weight="600"')}
${panels.map((one, n) => panel(one, LEFT + n * (WIDTH + GAP))).join('\n')}
</svg>
`;
}

module.exports = { lineChart };
