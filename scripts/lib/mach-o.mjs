// Facts that a binary for macOS states of itself: the parts of the format that
// <mach-o/loader.h> and <mach-o/nlist.h> describe, for one 64-bit processor.

import { Problem } from './fail.mjs';

const MAGIC = 0xfeedfacf;
const CPUS = { 16777223: 'x64', 16777228: 'arm64' };
const COMMANDS = {
  2: 'symbols',
  12: 'library',
  29: 'signature',
  36: 'minimum',
  50: 'build',
};
/** "Look in every image", as Apple's linker and zig's write it. */
const FLAT = [0xfe, 0];

const versionOf = (word) => `${word >>> 16}.${(word >>> 8) & 255}`;

function textAt(bytes, at) {
  return bytes.toString('latin1', at, bytes.indexOf(0, at));
}

/** Defined and undefined names, without the underscore of C. */
function readSymbols(bytes, at) {
  const [from, count, strings] = [8, 12, 16].map((n) =>
    bytes.readUInt32LE(at + n),
  );
  const exported = new Set();
  const flat = [];
  for (let i = 0; i < count; i += 1) {
    const entry = from + i * 16;
    const type = bytes[entry + 4];
    // Not for debuggers, and seen from outside.
    if ((type & 0xe0) !== 0 || (type & 1) === 0) continue;
    const name = textAt(bytes, strings + bytes.readUInt32LE(entry) + 1);
    if ((type & 0x0e) !== 0) exported.add(name);
    else if (FLAT.includes(bytes.readUInt16LE(entry + 6) >>> 8))
      flat.push(name);
  }
  return { exported, flat };
}

/**
 * @param {Buffer} bytes
 * @returns {{ cpu: string, minimum: string, libraries: string[],
 *   signed: boolean, exported: Set<string>, flat: string[] }} `flat` are the
 *   names that any image may have
 * @throws {Problem} when it is no such binary
 */
export function readMachO(bytes) {
  if (bytes.length < 32 || bytes.readUInt32LE(0) !== MAGIC) {
    throw new Problem('no binary of macOS');
  }
  const facts = {
    cpu: CPUS[bytes.readUInt32LE(4)],
    libraries: [],
    signed: false,
    exported: new Set(),
    flat: [],
  };
  const readers = {
    symbols: (at) => Object.assign(facts, readSymbols(bytes, at)),
    library: (at) =>
      facts.libraries.push(textAt(bytes, at + bytes.readUInt32LE(at + 8))),
    signature: () => Object.assign(facts, { signed: true }),
    minimum: (at) =>
      Object.assign(facts, { minimum: versionOf(bytes.readUInt32LE(at + 8)) }),
    build: (at) =>
      Object.assign(facts, { minimum: versionOf(bytes.readUInt32LE(at + 12)) }),
  };
  let at = 32;
  for (let left = bytes.readUInt32LE(16); left > 0; left -= 1) {
    const command = COMMANDS[bytes.readUInt32LE(at) & 0x7fffffff];
    if (command) readers[command](at);
    at += bytes.readUInt32LE(at + 4);
  }
  return facts;
}
