export function sum(values) {
  // An isolate's process has only what needs no I/O.
  const isNode = typeof process.getActiveResourcesInfo === 'function';
  const total = values.reduce((left, right) => left + right, 0);
  return `${isNode ? 'node' : 'isolate'}: ${total}`;
}
