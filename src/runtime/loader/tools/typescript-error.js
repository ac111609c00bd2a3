'use strict';

/** [line, column] of what the compiler's picture has its carets under. */
function placeIn(picture) {
  const rows = picture.split('\n');
  const under = rows.findIndex((row) => /^ *: .*\^/.test(row));
  const pointed = /^ *(\d+) \| /.exec(rows[under - 1] ?? '');
  if (pointed === null) return undefined;
  return [pointed[1], rows[under].indexOf('^') - pointed[0].length + 1];
}

/**
 * @param {string} path
 * @param {string} why what the compiler says: a line, then a picture of it
 * @returns {string} the message of the error
 */
function placedMessage(path, why) {
  const [first, ...picture] = why.split('\n');
  const summary = first.replace(/^\s*x\s+/, '');
  const place = placeIn(why)?.join(':');
  const where = place === undefined ? path : `${path}:${place}`;
  const rest = picture.join('\n').replace(/\n+Caused by:.*$/s, '');
  return `${where}: ${summary}\n${rest}`.trimEnd();
}

module.exports = { placedMessage };
