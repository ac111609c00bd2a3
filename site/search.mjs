// Asks the built site's search as a reader does.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
// VitePress's own.
import MiniSearch from 'minisearch';

/** A reader's words, and a page that must be among the first answers. */
const QUESTIONS = {
  tsx: '/docs/frameworks',
  'Next.js': '/docs/frameworks',
  sharp: '/docs/frameworks',
  Date: '/docs/frameworks',
  timeout: '/docs/',
  transfer: '/docs/',
};
const ANSWERS = 3;

/** @returns {Promise<string[]>} the words that do not find their page */
export async function askSearch(dist, { boostDocument }) {
  const chunks = join(dist, 'assets/chunks');
  const file = readdirSync(chunks).find((name) =>
    name.startsWith('@localSearchIndexroot'),
  );
  // A module whose name does not say so.
  const text = encodeURIComponent(readFileSync(join(chunks, file), 'utf8'));
  const { default: index } = await import(`data:text/javascript,${text}`);
  // As VitePress asks.
  const search = MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: {
      fuzzy: 0.2,
      prefix: true,
      boost: { title: 4, text: 2, titles: 1 },
      boostDocument,
    },
  });
  return Object.entries(QUESTIONS).flatMap(([words, page]) => {
    const found = search.search(words).slice(0, ANSWERS);
    if (found.some(({ id }) => id.includes(page))) return [];
    return [`${words}: ${found.map(({ id }) => id).join(', ')}`];
  });
}
