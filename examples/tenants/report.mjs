/**
 * Sums up `input.orders` orders of `input.tenant`, the same ones each time.
 * Stands by itself, to be sent to a worker.
 */
export function report({ input: { tenant, orders } }) {
  let seed = 0;
  for (const letter of tenant) seed = (seed * 31 + letter.charCodeAt(0)) >>> 0;
  const perMonth = new Array(12).fill(0);
  for (let order = 0; order < orders; order += 1) {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    perMonth[seed % 12] += (seed >>> 8) % 1000;
  }
  return { tenant, perMonth };
}
