/** The number of primes below `input`; stands by itself, to be sent. */
export function countPrimes({ input }) {
  let count = 0;
  for (let n = 2; n < input; n += 1) {
    let d = 2;
    while (d * d <= n && n % d !== 0) d += 1;
    if (d * d > n) count += 1;
  }
  return count;
}
