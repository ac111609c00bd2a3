'use strict';

const OURS = 'sloppy-workers';
// Colour-blind readers can distinguish these colours on white.
const OURS_COLOUR = '#2a78d6';
const OTHER_COLOUR = '#b9b8b2';
const WIDTH = 640;
const LABEL = 130;
const ROOM = 380;
const ROW = 20;

const escapeText = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const textAt = (x, y, text, more = '') =>
  `<text x="${x}" y="${y}"${more}>${escapeText(text)}</text>`;

function bar({ name, value, text }, longest, y) {
  const width = Math.max(1, (value / longest) * ROOM).toFixed(1);
  const isOurs = name === OURS;
  const weight = isOurs ? ' font-weight="600"' : '';
  return [
    textAt(LABEL - 8, y + 12, name, ` text-anchor="end"${weight}`),
    `<rect x="${LABEL}" y="${y}" width="${width}" height="15" rx="2" ` +
      `fill="${isOurs ? OURS_COLOUR : OTHER_COLOUR}"/>`,
    textAt(LABEL + Number(width) + 6, y + 12, text, weight),
  ];
}

/**
 * Bars for each measure, relative to the longest.
 *
 * @param {{ title: string, measures: { title: string, note: string,
 *   rows: { name: string, value: number, text: string }[] }[] }} report
 * @returns {string} an SVG on white
 */
function drawChart({ title, measures }) {
  const parts = [textAt(16, 28, title, ' font-size="15" font-weight="600"')];
  let y = 60;
  for (const { title: heading, note, rows } of measures) {
    parts.push(textAt(16, y, `${heading} (${note})`, ' fill="#6b6a64"'));
    const longest = Math.max(...rows.map(({ value }) => value), 1e-9);
    for (const [n, row] of rows.entries()) {
      parts.push(...bar(row, longest, y + 10 + n * ROW));
    }
    y += rows.length * ROW + 40;
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" ` +
      `width="${WIDTH}" height="${y}" font-family="system-ui, sans-serif" ` +
      'font-size="12" fill="#1f1e1b">',
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...parts,
    '</svg>\n',
  ].join('\n');
}

module.exports = { drawChart };
