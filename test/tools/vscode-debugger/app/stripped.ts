interface Input {
  n: number;
}

type Sum = number;

export function crunch({ n }: Input): Sum {
  let result: Sum = 0;
  for (let i = 0; i < n; i++) result += i;
  result += 1; // here
  return result;
}
