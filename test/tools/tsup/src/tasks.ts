import { csvFormat } from 'd3-dsv';

export function table(rows: object[]): string {
  // An isolate's process has only what needs no I/O.
  const isNode = typeof process.getActiveResourcesInfo === 'function';
  return `${isNode ? 'node' : 'isolate'}: ${csvFormat(rows).replace(/\n/g, ' ')}`;
}
