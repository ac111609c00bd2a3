'use strict';

const { figure } = require('./format.js');
const { OURS, ratio } = require('./judge.js');

/** The questions and the Node whose answers README.md tells. */
const QUESTIONS = ['memory', 'start', 'tiny-1'];
const MAJOR = '20';

const day = (time) => time.slice(0, 10);
/** Two figures are what a reader keeps. */
const roughly = (value) => figure(Number(value.toPrecision(2)));

/** How many times as much a peer takes, by the first line of a question. */
function timesOf({ answers }, name, peer) {
  const { lines } = answers.find((answer) => answer.name === name);
  const [{ peers, better }] = lines;
  if (peers[peer] === undefined) {
    throw new Error(`README.md tells of ${peer}, which "${name}" lacks`);
  }
  const share = ratio(peers[OURS], peers[peer]);
  return roughly(better === 'lower' ? 1 / share : share);
}

function startText({ answers }) {
  const { lines } = answers.find(({ name }) => name === 'start');
  const ms = lines[0].peers[OURS].median;
  return Math.round(ms) === 1 ? 'a millisecond' : `${roughly(ms)} ms`;
}

/**
 * @param {object} result what docs/bench has of MAJOR
 * @param {object} server docs/bench/server-rendering.json
 * @returns {string} the first lines, with the picture
 */
function firstBlock(result, { rows }) {
  const p99 = (way) => Math.round(rows.find((row) => row.way === way).p99);
  return `Moves CPU work off Node's main thread in about ${startText(result)}. Functions and
modules run in V8 isolates on threads of their own, behind bounded queues, with
time limits that end even endless loops, memory limits, and stable error codes.

A server that renders React answers its other routes in ${p99('in a pool')} ms instead of ${p99('on the main thread')} (p99):

[![A server that renders React, and what another of its routes waits meanwhile](docs/bench/server-rendering.svg)](examples/server-rendering/main.mjs)`;
}

/** @returns {string} the table of README's "Why not …", and when it was measured */
function whyBlock(result, server) {
  const times = (name, peer) => timesOf(result, name, peer);
  const measured = result.answers
    .filter(({ name }) => QUESTIONS.includes(name))
    .map((answer) => day(answer.measured));
  return `| | |
| --- | --- |
| piscina, tinypool, workerpool | Each thread starts all of Node. A tiny job takes piscina ${times('tiny-1', 'piscina')} times as long. A cancelled or late job costs its thread. Where jobs need all of Node, there is [\`runtime: 'thread'\`](docs/threads.md). |
| worker_threads | The first answer takes ${times('start', 'worker_threads')} times as long, an idle thread ${times('memory', 'worker_threads')} times the memory. Queue, limits and errors are yours to write. |
| isolated-vm | A tiny job takes ${times('tiny-1', 'isolated-vm')} times as long. Modules, timers, web globals and the queue are yours to bring. |
| a child process | Right for code that may crash, by native code or memory. [\`runtime: 'process'\`](docs/processes.md) is one, with the same queue, limits and codes; none is left behind. |
| a container for each tenant | Right for code of strangers, which limits alone do not hold. [\`sandbox\`](docs/sandbox.md), experimental and for Linux, gives each key a locked-down process without files and network. |

Medians of Node ${result.node.slice(1)} on ${result.machine}, ${[...new Set(measured)].sort().join(', ')}; the server on ${server.cores} cores, ${day(server.measured)}.
\`npm run bench -- --readme\` measures them again. [Performance](docs/performance.md) has
all goals, also the missed ones.`;
}

module.exports = { MAJOR, QUESTIONS, firstBlock, whyBlock };
