'use strict';
// The strings of the value being written. Short ones are gathered in shared
// texts, because each text costs a crossing between JavaScript and C++.

const { append, charCodeAt, list } = require('./captured.js');

// Maximum length of a gathered string; a longer one is a text of its own.
const LONGEST = 4096;
// Maximum length of a shared text, because a decoded part may keep all of it
// alive.
const GATHER = 16384;

/**
 * `count(size)` is called for text that will not be in `output.gathered` at the
 * end.
 */
function createTexts(output, count) {
  function flush() {
    const { gathered } = output;
    if (gathered.length === 0) return;
    if (output.texts === null) output.texts = list();
    // Reading a unit flattens the string. A rope would keep all its pieces
    // alive, and every garbage collection would copy them until the text is
    // written. The unit is stored, because the engine would otherwise optimize
    // the read away.
    output.unit = charCodeAt(gathered, 0);
    append(output.texts, gathered);
    output.gathered = '';
  }

  function gather(s) {
    const gathered = output.gathered + s;
    output.gathered = gathered;
    if (gathered.length >= GATHER) {
      count(gathered.length);
      flush();
    }
  }

  function addText(s) {
    count(s.length);
    flush();
    if (output.texts === null) output.texts = list();
    append(output.texts, s);
  }

  return { gather, flush, addText };
}

module.exports = { LONGEST, createTexts };
