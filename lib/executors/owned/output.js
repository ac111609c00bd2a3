'use strict';

const { StringDecoder } = require('node:string_decoder');

const { apply } = Reflect;

/**
 * A worker's side: what its code writes to the process's streams goes to the owner
 * instead, while that is wanted. Native code writes past them.
 *
 * @param {(fd: number, text: string) => void} tell
 * @returns {(wanted: boolean) => void}
 */
function outputsTo(tell) {
  let isWanted = false;
  const divert = (fd, stream) => {
    const own = stream.write;
    const decoder = new StringDecoder('utf8');
    stream.write = function write(chunk, encoding, done = encoding) {
      const isText = typeof chunk === 'string';
      // Node refuses what is no chunk.
      if (!isWanted || !(isText || chunk instanceof Uint8Array)) {
        return apply(own, stream, [chunk, encoding, done]);
      }
      const text = isText ? chunk : decoder.write(chunk);
      if (text !== '') tell(fd, text);
      if (typeof done === 'function') process.nextTick(done);
      return true;
    };
  };
  divert(1, process.stdout);
  divert(2, process.stderr);
  return (wanted) => {
    isWanted = wanted;
  };
}

module.exports = { outputsTo };
