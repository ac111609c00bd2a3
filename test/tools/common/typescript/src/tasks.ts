// Imports as projects write them: as after compiling, without an extension,
// and through `paths`; an enum and parameter properties.
import { Level } from '@app/level.js';
import { nameOf } from './names';
import { score } from './score.js';

class Report {
  constructor(
    readonly name: string,
    readonly level: Level,
  ) {}
}

export function report(points: number[]) {
  const total = score(points);
  const level = total > 10 ? Level.High : Level.Low;
  const { name } = new Report(nameOf(total), level);
  // An isolate's process has only what needs no I/O.
  const isNode = typeof process.getActiveResourcesInfo === 'function';
  return `${isNode ? 'node' : 'isolate'}: ${name} is ${Level[level]}`;
}
