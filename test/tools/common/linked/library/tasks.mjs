// Its imports are where this file is, not where it is linked to.
import { csvFormat } from 'd3-dsv';

export function table(rows) {
  // An isolate's process has only what needs no I/O.
  const isNode = typeof process.getActiveResourcesInfo === 'function';
  return `${isNode ? 'node' : 'isolate'}: ${csvFormat(rows).replace(/\n/g, ' ')}`;
}
