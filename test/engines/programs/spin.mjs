/** Computes for some milliseconds. */
export function spin({ ms, value }) {
  const end = Date.now() + ms;
  while (Date.now() < end);
  return value;
}
