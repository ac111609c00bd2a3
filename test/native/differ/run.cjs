'use strict';

// node --expose-internals run.cjs <native tests' addon> <cases> [rounds] [seed]
// Compares the bindings of src/isolate/bindings with those of the Node that runs:
// the same arguments give the same values, errors and bytes. One process, because
// either side may crash. Exit 1 where they differ.
const { internalBinding } = require('internal/test/binding');
const { seeded } = require('./random.cjs');

const [addon, cases, rounds = '2000', seed = '1'] = process.argv.slice(2);
const { binding } = require(addon);
const { makeCases } = require(`./${cases}.cjs`);

function textOf(value) {
  if (typeof value === 'string') {
    return value.length > 300
      ? `text of ${value.length}: ${hash(value)}`
      : JSON.stringify(value);
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return `${value.constructor.name}(${value.byteLength}) ${bytes.length > 200 ? hash(bytes.toString('latin1')) : bytes.toString('hex')}`;
  }
  if (value instanceof ArrayBuffer)
    return `buffer ${textOf(new Uint8Array(value))}`;
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function hash(text) {
  let h = 0;
  for (let i = 0; i < text.length; i++)
    h = (Math.imul(h, 31) + text.charCodeAt(i)) | 0;
  return `#${h}`;
}

function outcome(run, natives) {
  try {
    return textOf(run(natives));
  } catch (error) {
    const own = Object.keys(error).map((key) => `${key}=${textOf(error[key])}`);
    return `throws ${error.name}: ${error.message} [${own.join(', ')}]`;
  }
}

const random = seeded(Number(seed));
const names = new Map();
let compared = 0;
let differing = 0;
for (let round = 0; round < Number(rounds); round++) {
  for (const { name, title, make } of makeCases(random)) {
    const own = names.get(name) ?? [internalBinding(name), binding({}, name)];
    names.set(name, own);
    // Each side gets arguments of its own, from the same random numbers.
    const at = random.state();
    const [theirs, ours] = own.map((natives) => {
      random.restore(at);
      return outcome(make(random), natives);
    });
    compared++;
    if (theirs !== ours) {
      console.log(
        `${name}.${title} (round ${round})\n  Node ${theirs}\n  ours ${ours}`,
      );
      if (process.exitCode === 1 && ++differing > 15) process.exit(1);
      process.exitCode = 1;
    }
  }
}
console.log(`${compared} calls compared`);
