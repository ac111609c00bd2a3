const LINE = /^(\S+) \S+ \S+ \[([^\]]+)\] "(\S+) (\S+)[^"]*" (\d{3}) (\d+|-)/;

/** A line of a web server's log; others are left out. */
export function parseLine(line) {
  const match = LINE.exec(line);
  if (match === null) return undefined;
  const [, address, time, method, path, status, bytes] = match;
  const size = bytes === '-' ? 0 : Number(bytes);
  return { address, time, method, path, status: Number(status), size };
}

export const parseLines = (lines) =>
  lines
    .map(parseLine)
    .filter((row) => row !== undefined)
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
