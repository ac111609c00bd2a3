'use strict';
// The processes of sandboxes that this one has started, some of them with other
// arguments than usual. Before the library is loaded, which takes `spawn` then.

const childProcess = require('node:child_process');
const fs = require('node:fs');

const ARGUMENT = '--sloppy-sandbox-host';

const { spawn } = childProcess;
let extra = {};
const children = [];

childProcess.spawn = (file, args, options) => {
  if (args?.[0] !== ARGUMENT) return spawn(file, args, options);
  const more = Object.entries(extra).flat().map(String);
  const child = spawn(file, [...args, ...more], options);
  children.push(child);
  return child;
};

/** Arguments of the processes that are started from now on. */
function withArguments(more) {
  extra = more;
}

/** @returns {ChildProcess[]} all processes of sandboxes so far */
const started = () => children;

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

/** @returns {number[]} the processes below that one, as Linux knows them */
function childrenOf(pid) {
  try {
    const file = `/proc/${pid}/task/${pid}/children`;
    const text = fs.readFileSync(file, 'utf8').trim();
    const own = text === '' ? [] : text.split(' ').map(Number);
    return own.flatMap((each) => [each, ...childrenOf(each)]);
  } catch {
    return [];
  }
}

module.exports = { childrenOf, isAlive, started, withArguments };
