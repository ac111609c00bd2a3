export function crunch({ n }) {
  let result = 0;
  for (let i = 0; i < n; i++) result += i;
  result += 1; // here
  return result;
}
