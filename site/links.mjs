// Follows every link inside a built site, anchors included. Crawlers check an
// anchor only when they meet it before its page; here all pages are at hand.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const HOST = 'http://site';

const valuesOf = (html, attribute) =>
  Array.from(
    html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')),
    ([, value]) => value.replaceAll('&amp;', '&'),
  );

/**
 * @param {string} folder the site
 * @returns {{ count: number, dead: { page: string, link: string }[] }}
 */
export function followLinks(folder) {
  const pages = new Map();
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = name.replaceAll('\\', '/');
    if (!path.endsWith('.html')) continue;
    const html = readFileSync(join(folder, path), 'utf8');
    pages.set(path, { html, ids: new Set(valuesOf(html, 'id')) });
  }

  function leadsSomewhere({ pathname, hash }) {
    const path = decodeURIComponent(pathname.slice(1));
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path;
    const page = pages.get(file) ?? pages.get(`${file}.html`);
    if (!page) return existsSync(join(folder, file));
    return hash === '' || page.ids.has(decodeURIComponent(hash.slice(1)));
  }

  let count = 0;
  const dead = [];
  for (const [page, { html }] of pages) {
    for (const link of [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]) {
      const url = new URL(link, `${HOST}/${page}`);
      // Other people's sites are not looked at: the build works offline.
      if (url.origin !== HOST) continue;
      count += 1;
      if (!leadsSomewhere(url)) dead.push({ page, link });
    }
  }
  return { count, dead };
}
