// Types that cannot only be taken out.
enum Factor {
  Two = 2,
}

export function crunch({ n }: { n: number }): number {
  let result = n * Factor.Two;
  result += 1; // here
  return result;
}
