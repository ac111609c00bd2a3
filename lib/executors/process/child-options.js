'use strict';
// How a process of a pool is started.

const { otherThanNode } = require('../../base/this-executable.js');
const { workerError } = require('../../protocol/sloppy-worker-error.js');
const { Code } = require('../../protocol/diagnostics.gen.js');

// The flags of a program that are its own: a debugger's port, its tests, and its
// text, which each process would run again instead of jobs.
const OWN = [
  ...['--inspect', '--watch', '--test', '--interactive', '--check'],
  ...['--eval=', '--print='],
];
const OWN_LETTERS = ['-i', '-c'];
const TEXTS = ['-e', '--eval', '-pe'];
// A text follows unless the next is a flag, as in `-p -e 1`.
const PRINTS = ['-p', '--print'];

const isOwn = (flag) =>
  OWN_LETTERS.includes(flag) ||
  PRINTS.includes(flag) ||
  OWN.some((own) => flag.startsWith(own));

/** @returns {string[]} Node's flags of this process that others may have too */
function inheritedFlags() {
  const flags = [];
  const { execArgv } = process;
  for (let at = 0; at < execArgv.length; at += 1) {
    const flag = execArgv[at];
    if (TEXTS.includes(flag)) at += 1;
    else if (!isOwn(flag)) flags.push(flag);
    // Its value, as of `--watch-path src`: Node would take it for the program.
    else if (execArgv[at + 1]?.startsWith('-') === false) at += 1;
  }
  return flags;
}

/**
 * @throws {SloppyWorkerError} FEATURE_UNAVAILABLE where the executable is not
 *   node itself
 */
function requireNode() {
  const other = otherThanNode();
  if (other === undefined) return;
  throw workerError(
    Code.FeatureUnavailable,
    `runtime "process" starts node, and this is ${other}`,
  );
}

// Node takes a descriptor of these for its channel to a process that has forked it:
// ours is no such channel, and a start would end there.
const CHANNEL = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE'];

const hasNoChannel = ([name]) => !CHANNEL.includes(name);

/** @returns {object} the environment without the channel of another process */
function withoutChannel(env) {
  if (CHANNEL.every((name) => env[name] === undefined)) return env;
  return Object.fromEntries(Object.entries(env).filter(hasNoChannel));
}

const only = (words) => (words === undefined ? [] : [words]);

const streamsOf = (stdio = 'inherit') =>
  typeof stdio === 'function' ? 'pipe' : stdio;

/**
 * @param {string} main the file that it runs
 * @param {object} settings of the pool
 * @param {number} [words] a descriptor for it, see common-words.js
 * @returns {[file: string, args: string[], options: object]} for `spawn`
 */
function childOptions(main, { memoryLimitMb, nodeOptions }, words) {
  const { argv = [], cwd, env, execArgv, stdio } = nodeOptions;
  const flags = [
    ...(execArgv ?? inheritedFlags()),
    `--max-old-space-size=${memoryLimitMb}`,
  ];
  const out = streamsOf(stdio);
  return [
    process.execPath,
    [...flags, main, ...argv],
    {
      __proto__: null,
      cwd,
      env: withoutChannel(env ?? process.env),
      // The frames, and a pipe whose end tells of the owner's.
      stdio: ['ignore', out, out, 'pipe', 'pipe', ...only(words)],
      windowsHide: true,
    },
  ];
}

module.exports = { childOptions, requireNode };
