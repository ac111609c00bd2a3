// Facts that a program for Windows states of itself: the parts of Microsoft's
// "PE Format" that tell which names it exports, for 64 bits.

import { Problem } from './fail.mjs';

const SIGNATURE = 0x4550;
const PE32_PLUS = 0x20b;
const SECTION_BYTES = 40;

const textAt = (bytes, at) =>
  bytes.toString('latin1', at, bytes.indexOf(0, at));

/** @returns {(address: number) => number} where an address is in the file */
function placesOf(bytes, at, count) {
  const sections = Array.from({ length: count }, (_, i) => {
    const [size, address, , from] = [8, 12, 16, 20].map((n) =>
      bytes.readUInt32LE(at + i * SECTION_BYTES + n),
    );
    return { size, address, from };
  });
  return (address) => {
    const section = sections.find(
      (each) => address >= each.address && address < each.address + each.size,
    );
    if (section === undefined) throw new Problem('an address in no section');
    return address - section.address + section.from;
  };
}

/**
 * @param {Buffer} bytes
 * @returns {Set<string>} the names that it exports
 * @throws {Problem} when it is no such program
 */
export function readPeExports(bytes) {
  const header = bytes.length < 64 ? 0 : bytes.readUInt32LE(60);
  const optional = header + 24;
  if (
    header === 0 ||
    bytes.readUInt32LE(header) !== SIGNATURE ||
    bytes.readUInt16LE(optional) !== PE32_PLUS
  ) {
    throw new Problem('no program of Windows for 64 bits');
  }
  const sections = optional + bytes.readUInt16LE(header + 20);
  const place = placesOf(bytes, sections, bytes.readUInt16LE(header + 6));
  // The first of the directories, which follow 112 bytes.
  const table = place(bytes.readUInt32LE(optional + 112));
  const count = bytes.readUInt32LE(table + 24);
  const names = place(bytes.readUInt32LE(table + 32));
  const exported = new Set();
  for (let i = 0; i < count; i += 1) {
    exported.add(textAt(bytes, place(bytes.readUInt32LE(names + 4 * i))));
  }
  return exported;
}
