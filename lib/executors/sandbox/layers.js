'use strict';

const { constants } = require('node:os');

const { LAYERS } = require('../../base/sandbox-layers.js');
const { FrameError } = require('../../wire/frames.js');

const HELLO_WORDS = 1 + LAYERS.length;

const nameOfErrno = (number) =>
  Object.entries(constants.errno).find(([, each]) => each === number)?.[0] ??
  `errno ${number}`;

/**
 * Reads which layers a process says it has put on: it has run nothing of
 * anybody's yet.
 *
 * @param {Buffer} body of its first frame
 * @returns {{ layers: object, errors: object }} by their names: whether each
 *   holds, and the name of the errno of each that does not
 * @throws {FrameError}
 */
function readHello(body) {
  if (body.length < HELLO_WORDS * 4) throw new FrameError('half a greeting');
  const bits = body.readUInt32LE(0);
  const layers = { __proto__: null };
  const errors = { __proto__: null };
  LAYERS.forEach((name, at) => {
    layers[name] = (bits & (1 << at)) !== 0;
    if (!layers[name]) {
      errors[name] = nameOfErrno(body.readUInt32LE(4 + at * 4));
    }
  });
  return { layers, errors };
}

/** @returns {string | undefined} the first required layer that does not hold */
const missingOf = ({ layers }, required) =>
  required.find((name) => layers[name] !== true);

module.exports = { missingOf, readHello };
