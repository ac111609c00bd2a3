'use strict';

// Functions have the names and lengths of Node's: those that are not Node's own
// text and that an isolate offers.

const { answersAsInNode } = require('./as-in-node-support.js');

answersAsInNode({
  'of timers': () => {
    const names = ['Timeout', 'Interval', 'Immediate'];
    const all = names.flatMap((name) => [`set${name}`, `clear${name}`]);
    return all.map((name) => [globalThis[name].name, globalThis[name].length]);
  },
  'of the process': async () => {
    const process = (await import('node:process')).default;
    const { cpuUsage, exit, hrtime, memoryUsage, nextTick, uptime } = process;
    const all = [cpuUsage, exit, hrtime, hrtime.bigint, memoryUsage];
    all.push(memoryUsage.rss, nextTick, uptime);
    return all.map(({ name, length }) => [name, length]);
  },
  'of crypto': async () => {
    const crypto = (await import('node:crypto')).default;
    // Node's natives have no names, or these take any number of arguments, or
    // another number on each Node.
    const leftOut =
      /^(get(Ciphers|CipherInfo|Curves|Hashes|Macs)|timingSafeEqual|createDiffieHellman|diffieHellman)$/;
    // Getters, which an isolate has as plain members, and what it has not.
    const odd =
      /^(getRandomValues|p?rng|pseudo\w+|getDiffieHellman|set(Fips|Engine)|secureHeap\w+|create(Cipher|Decipher)|hash|parsePKCS12)$/;
    return Object.entries(crypto)
      .filter(
        ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name),
      )
      .filter(([name]) => !leftOut.test(name) && !odd.test(name))
      .map(([name, value]) => [name, value.name, value.length])
      .sort();
  },
});
