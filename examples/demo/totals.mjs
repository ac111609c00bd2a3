// The jobs' partial results put together, and what is worth telling of them.

import { say } from './report.mjs';

export function mergeStates(parts) {
  const states = new Map();
  for (const part of parts.flat()) {
    const known = states.get(part.state);
    if (known === undefined) {
      states.set(part.state, { ...part });
      continue;
    }
    if (part.farthestKm > known.farthestKm) {
      const { farthestKm, farthest, airport } = part;
      Object.assign(known, { farthestKm, farthest, airport });
    }
    known.rows += part.rows;
    known.km += part.km;
    known.doubtful += part.doubtful;
  }
  return [...states.values()];
}

export function tellStates(states) {
  const mean = ({ km, rows }) => km / rows;
  const byMean = states
    .filter(({ rows }) => rows >= 100)
    .sort((a, b) => mean(a) - mean(b));
  const [near, far] = [byMean[0], byMean.at(-1)];
  say(
    `On average ${mean(near).toFixed(1)} km in ${near.state} and ` +
      `${mean(far).toFixed(1)} km in ${far.state}, where ${far.farthest} is ` +
      `farthest: ${far.farthestKm.toFixed(0)} km from ${far.airport}.`,
  );
  const doubtful = states.reduce((sum, state) => sum + state.doubtful, 0);
  say(`${doubtful} rows have coordinates far from everything: left out.`);
}

export function mergeIndexes(parts) {
  const frequencies = new Map();
  for (const { words, counts } of parts) {
    for (const [i, word] of words.entries()) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + counts[i]);
    }
  }
  return { rows: parts.flatMap(({ rows }) => rows), frequencies };
}

export function tellIndex({ rows, frequencies }) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const pages = rows.filter(({ html }) => html > 0).length;
  const copies = rows.length - new Set(rows.map(({ hash }) => hash)).size;
  const top = [...frequencies].sort((a, b) => b[1] - a[1]).slice(0, 5);
  say(
    `${pages} pages of HTML, ${sum('words')} words, ${frequencies.size} ` +
      `different ones; ${copies} files are copies of another.`,
  );
  say(`In most files: ${top.map(([word]) => word).join(', ')}.`);
}

export const mergeArchives = (parts) => parts.flat();

export function tellArchive(rows) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const megabytes = (key) => `${(sum(key) / 1e6).toFixed(1)} MB`;
  const different = new Set(rows.map(({ sha256 }) => sha256)).size;
  say(
    `${rows.length} files, ${different} of them different: ` +
      `${megabytes('bytes')} become ${megabytes('compressed')}.`,
  );
}
