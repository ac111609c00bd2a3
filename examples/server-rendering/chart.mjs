// The figures as an SVG: two groups of bars, one for each question.

const COLOURS = { 'in a pool': '#2a78d6', 'on the main thread': '#b9b8b2' };
const WIDTH = 760;
const LEFT = 150;
const ROOM = WIDTH - LEFT - 90;

const QUESTIONS = [
  { key: 'pagesPerSecond', title: 'pages a second', unit: '', digits: 0 },
  { key: 'p99', title: 'another route meanwhile, p99', unit: ' ms', digits: 1 },
];

function group({ key, title, unit, digits }, rows, top) {
  const most = Math.max(...rows.map((row) => row[key]));
  const bars = rows.map((row, index) => {
    const y = top + 12 + index * 22;
    const width = Math.max(1, (row[key] / most) * ROOM).toFixed(1);
    const value = `${row[key].toFixed(digits)}${unit}`;
    return `<text x="${LEFT - 8}" y="${y + 12}" text-anchor="end">${row.way}</text>
<rect x="${LEFT}" y="${y}" width="${width}" height="16" rx="2" fill="${COLOURS[row.way]}"/>
<text x="${LEFT + Number(width) + 6}" y="${y + 12}">${value}</text>`;
  });
  return `<text x="16" y="${top}" font-weight="600">${title}</text>\n${bars.join('\n')}`;
}

/**
 * @param {{ node: string, cores: number, seconds: number, rounds: number }} about
 * @param {{ way: string, pagesPerSecond: number, p99: number }[]} rows
 */
export const chart = ({ node, cores, seconds, rounds }, rows) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="206" viewBox="0 0 ${WIDTH} 206" font-family="system-ui, sans-serif" font-size="11" fill="#1f1e1b">
<rect width="100%" height="100%" fill="#ffffff"/>
<text x="16" y="24" font-size="14" font-weight="600">A server that renders React for four clients</text>
<text x="16" y="40" fill="#6b6a64" font-size="10">Node ${node.slice(1)}, ${cores} cores for server and clients; medians of ${rounds} rounds of ${seconds} s</text>
${QUESTIONS.map((question, i) => group(question, rows, 66 + i * 74)).join('\n')}
</svg>
`;
