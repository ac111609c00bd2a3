'use strict';

const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const read = (name) => readFileSync(join(__dirname, name), 'utf8');
const hashOf = (text) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const escaped = (text) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Makes the page in one piece: it loads nothing, and its content security
 * policy allows only its own script and style.
 *
 * @param {string} title
 * @returns {{ html: string, headers: Record<string, string> }}
 */
function createPage(title) {
  const style = read('style.css');
  const script = read('client.js');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p id="status" role="status">connecting</p>
</header>
<main id="pools"></main>
<noscript><p>This page draws with JavaScript.</p></noscript>
<script>${script}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    html,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy.join('; '),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  };
}

module.exports = { createPage };
