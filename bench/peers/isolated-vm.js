'use strict';

const { jobs } = require('../jobs.js');

/** isolated-vm 7 needs Node 24, isolated-vm 5 does not build there. */
function load() {
  const newest = Number(process.versions.node.split('.')[0]) >= 24;
  return require(newest ? 'isolated-vm' : 'isolated-vm-node20');
}

const COPY = { arguments: { copy: true }, result: { copy: true } };

/** One isolate with one context; its own thread pool runs the calls. */
async function openIsolate(job) {
  const ivm = load();
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const context = await isolate.createContext();
  const reference = await context.eval(`(${jobs[job]})`, { reference: true });
  return { isolate, reference };
}

async function open({ workers = 1, job }) {
  const members = [];
  while (members.length < workers) members.push(await openIsolate(job));
  let next = 0;
  return {
    call(input) {
      const { reference } = members[next];
      next = next + 1 === workers ? 0 : next + 1;
      return reference.apply(undefined, [input], COPY);
    },
    close() {
      for (const { isolate } of members) isolate.dispose();
    },
  };
}

module.exports = { load, open, openIsolate };
