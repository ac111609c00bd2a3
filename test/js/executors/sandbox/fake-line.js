'use strict';
// A SandboxLine whose process is the test.

const { framesTo, released, turns, withChild } = require('../fake-child.js');

jest.mock('../../../../lib/executors/sandbox/host-process.js', () => ({
  hostProcess: () => [],
}));

const LIB = '../../../../lib';
const { SandboxLine } = require(`${LIB}/executors/sandbox/sandbox-line.js`);
const { createCodec } = require(`${LIB}/executors/sandbox/sandbox-codec.js`);
const { Kind } = require(`${LIB}/executors/sandbox/kinds.js`);
const { PoolFiles } = require(`${LIB}/executors/sandbox/owner-files.js`);
const { SandboxState } = require(`${LIB}/executors/sandbox/sandbox-state.js`);
const { packed, word } = require('./said.js');

const ALL_LAYERS = 63;

/**
 * @param {object} [settings] of the pool; those of `sandbox` are parts
 * @param {number} [moduleMs]
 * @returns {object} see withChild; and `greet(layers)`, and `told()`: the frames to
 *   the process
 */
function newLine(settings = {}, moduleMs = undefined) {
  const sandbox = {
    codec: createCodec(),
    files: new PoolFiles([]),
    state: new SandboxState(),
    initData: packed,
    require: [],
    jit: false,
    ...settings.sandbox,
  };
  const whole = {
    maxResultBytes: 2 ** 20,
    memoryLimitMb: 64,
    maxModuleBytes: 2 ** 20,
    ...settings,
    sandbox,
  };
  const options = { worker: { number: 1, place: 1 }, moduleMs };
  const its = withChild((events) => new SandboxLine(events, 1, options, whole));
  return {
    ...its,
    sandbox,
    greet: (bits = ALL_LAYERS) =>
      its.say(Kind.Hello, 0, word(bits, 1, 2, 3, 4, 5, 6)),
    told: () => framesTo(its.socket, Kind),
  };
}

const kindsOf = (frames) => frames.map(([kind, number]) => [kind, number]);

module.exports = { kindsOf, newLine, released, turns };
