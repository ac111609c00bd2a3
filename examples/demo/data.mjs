// Real input out of node_modules, cut into one input per job.

import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { csvParse } from 'd3-dsv';

const ROWS_PER_JOB = 1000;
const BYTES_PER_JOB = 400_000;
const MAX_DOCUMENT_BYTES = 200_000;
const MAX_DOCUMENTS = 4000;

const dataFolder = new URL('../data/', import.meta.resolve('vega-datasets'));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const readData = (name) => readFile(new URL(name, dataFolder), 'utf8');

/** Airports travel as numbers: latitude and longitude of each, in radians. */
function airportNumbers(airports) {
  return Float64Array.from(
    airports.flatMap(({ latitude, longitude }) => [latitude, longitude]),
    (degrees) => (Number(degrees) * Math.PI) / 180,
  );
}

export async function loadPostalCodes() {
  const airports = csvParse(await readData('airports.csv'));
  const [header, ...lines] = (await readData('zipcodes.csv'))
    .trimEnd()
    .split('\n');
  const shared = {
    parser: import.meta.resolve('d3-dsv'),
    airports: airportNumbers(airports),
    doubtfulKm: 300,
    names: airports.map(({ name, iata }) => `${name} (${iata})`),
  };
  const inputs = [];
  for (let start = 0; start < lines.length; start += ROWS_PER_JOB) {
    const rows = lines.slice(start, start + ROWS_PER_JOB);
    inputs.push({ ...shared, csv: [header, ...rows].join('\n') });
  }
  return { rows: lines.length, airports: airports.length, inputs };
}

async function readDocuments() {
  const files = (await readdir(modules, { recursive: true }))
    .filter((name) => /^[^.].*\.(md|js|mjs|cjs)$/.test(name))
    .sort();
  // All of the Markdown, then as much of the rest as there is room for.
  const isMarkdown = (name) => name.endsWith('.md');
  const chosen = [
    ...files.filter(isMarkdown),
    ...files.filter((name) => !isMarkdown(name)),
  ];
  const documents = [];
  for (const name of chosen) {
    const path = join(modules, name);
    const found = await stat(path);
    const fits = found.size > 0 && found.size <= MAX_DOCUMENT_BYTES;
    if (!found.isFile() || !fits) continue;
    documents.push({ name, text: await readFile(path, 'utf8') });
    if (documents.length === MAX_DOCUMENTS) break;
  }
  return documents;
}

export async function loadDocuments() {
  const documents = await readDocuments();
  const renderer = import.meta.resolve('marked');
  const inputs = [];
  let bytes = 0;
  let room = 0;
  for (const document of documents) {
    if (room < document.text.length) {
      inputs.push({ renderer, documents: [] });
      room = BYTES_PER_JOB;
    }
    inputs.at(-1).documents.push(document);
    room -= document.text.length;
    bytes += document.text.length;
  }
  const megabytes = (bytes / 1e6).toFixed(1);
  return { count: documents.length, megabytes, inputs };
}
