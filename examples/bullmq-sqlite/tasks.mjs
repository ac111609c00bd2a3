// A processor file as BullMQ's sandbox takes it.

export default async function (job) {
  const { from, to } = job.data;
  let primes = 0;
  for (let n = Math.max(2, from); n < to; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n && isPrime; d++) isPrime = n % d !== 0;
    if (isPrime) primes += 1;
  }
  await job.updateProgress(100);
  return primes;
}
