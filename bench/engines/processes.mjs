// The CPU time and memory that a tree of processes has used, as Linux says.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICK_MS =
  1000 / Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [, parent] = fields;
    return {
      parent: Number(parent),
      cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS,
    };
  } catch {
    return undefined;
  }
}

export function treeOf(pid) {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    all.map((name) => [Number(name), statOf(name)?.parent]),
  );
  const tree = [pid];
  for (const member of tree) {
    for (const [child, parent] of parents)
      if (parent === member) tree.push(child);
  }
  return tree;
}

export const cpuMsOf = (pids) =>
  pids.reduce((sum, pid) => sum + (statOf(pid)?.cpuMs ?? 0), 0);

/** Proportional: shared pages count once. */
export function memoryMbOf(pids) {
  const kb = pids.map((pid) => {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(text)[1]);
  });
  return kb.reduce((sum, each) => sum + each, 0) / 1024;
}
