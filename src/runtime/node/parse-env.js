'use strict';
// The text of a .env file, as Node's own parser in C++ reads it.

const LINE =
  /^[ \t]*(?:export[ \t]+)?([^\s=#][^=\n]*?)[ \t]*=[ \t]*(?:"([^"]*)"[^\n]*|'([^']*)'[^\n]*|`([^`]*)`[^\n]*|([^\n]*))$/gm;

// Node's own has no prototype from 26 on.
const hasPrototype = () =>
  Number(host.process.version.slice(1).split('.')[0]) < 26;

/**
 * @param {string} text
 * @returns {Record<string, string>}
 */
function parseEnv(text) {
  const values = hasPrototype() ? {} : { __proto__: null };
  const lines = text.replaceAll('\r\n', '\n');
  for (const [, key, double, single, back, bare] of lines.matchAll(LINE)) {
    if (double !== undefined) {
      values[key] = double.replaceAll('\\n', '\n');
    } else {
      values[key] = single ?? back ?? bare.replace(/#.*$/, '').trim();
    }
  }
  return values;
}

module.exports = { parseEnv };
