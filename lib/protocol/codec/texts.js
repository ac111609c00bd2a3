'use strict';
// The strings of the value being written. Short ones are gathered in shared
// texts, so that crossing the language line is paid once for many.

const { append, charCodeAt, list } = require('./captured.js');

// The longest of these; longer ones are a text of their own.
const LONGEST = 4096;
// Bounded because a decoded part may keep the whole of it alive.
const GATHER = 16384;

/** `count(size)` is told what will not be in `output.gathered` at the end. */
function createTexts(output, count) {
  function flush() {
    const { gathered } = output;
    if (gathered.length === 0) return;
    if (output.texts === null) output.texts = list();
    // Reading makes it one piece: of a rope all pieces would be kept alive,
    // and copied by every garbage collection until the text is written. The
    // unit is kept so that the engine does not leave the reading out.
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
