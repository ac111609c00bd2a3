import { score } from './score';

export function report(points: number[]) {
  // An isolate's process has only what needs no I/O.
  const isNode = typeof process.getActiveResourcesInfo === 'function';
  return `${isNode ? 'node' : 'isolate'}: ${score(points)}`;
}
