'use strict';

const fs = require('node:fs');
const os = require('node:os');

const { resolveConditions } = require('./resolve-conditions.js');
const { workingFolder } = require('../../base/working-folder.js');

const { parse, stringify } = JSON;
const { keys } = Object;

const self = process;

// Members that not every Node, or not every system, has.
const SOME = [
  ...['assert', 'execve', 'initgroups', 'loadEnvFile', 'ref', 'setegid'],
  ...['seteuid', 'setgid', 'setgroups', 'setuid', 'threadCpuUsage', 'unref'],
];

let text;
let numbers;

/**
 * The facts of `process` inside a worker, as JSON text that is parsed at its
 * first use. Of the environment it has only the variables by which libraries
 * choose their build, unless the pool has one of its own.
 *
 * @param {object} settings of the pool
 * @returns {string}
 */
function processFacts({ environments, module, nodeOptions = {} }) {
  text ??= readFacts();
  const { argv, env } = nodeOptions;
  if (argv === undefined && env === undefined && environments === undefined) {
    return text;
  }
  const facts = parse(text);
  if (argv !== undefined) {
    // Node calls a worker that has no file so.
    facts.argv = [facts.execPath, module ?? '[worker eval]', ...argv];
  }
  if (env !== undefined) facts.env = textsOf(env);
  facts.environments = environments?.map(textsOf);
  return stringify(facts);
}

// The values are as process.env has them.
function textsOf(env) {
  const texts = { __proto__: null };
  for (const name of keys(env)) {
    if (env[name] !== undefined) texts[name] = `${env[name]}`;
  }
  return texts;
}

// Ids are those of the main thread; Windows has none.
const ids = () => ({
  uid: self.getuid?.(),
  euid: self.geteuid?.(),
  gid: self.getgid?.(),
  egid: self.getegid?.(),
  groups: self.getgroups?.(),
});

function readFacts() {
  const { NODE_ENV } = self.env;
  return stringify({
    pid: self.pid,
    ppid: self.ppid,
    platform: self.platform,
    arch: self.arch,
    version: self.version,
    versions: self.versions,
    release: { name: 'node' },
    execPath: self.execPath,
    cwd: workingFolder(),
    debugPort: self.debugPort,
    ids: ids(),
    lacks: SOME.filter((name) => !(name in self)),
    noDeprecation: self.noDeprecation,
    features: keys(self.features),
    packageFolder: __dirname,
    conditions: resolveConditions(self.execArgv, self.env.NODE_OPTIONS),
    env: NODE_ENV === undefined ? {} : { NODE_ENV },
  });
}

/**
 * The constants of Node's fs and os, as JSON text of 3 KB. Few jobs need it, so
 * that it is not among the facts, which each isolate with a module parses.
 *
 * @returns {string}
 */
function systemNumbers() {
  numbers ??= stringify({ fs: fs.constants, os: os.constants });
  return numbers;
}

module.exports = { processFacts, systemNumbers };
