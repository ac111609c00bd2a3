// The programs in a document: its js blocks, each with the text block right
// after it, which is what the program must print.

import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** @returns {{ name: string, code: string, output?: string }[]} */
export function programsOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const fenced = /^```js\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms;
  return Array.from(text.matchAll(fenced), ([, code, output], i) => ({
    name: `${path}, js block ${i + 1}`,
    code,
    output,
  }));
}

/**
 * Runs a program from a folder in which its imports are found.
 *
 * @param {{ code: string, output?: string }} program
 * @param {string} folder
 * @param {{ node?: string, env?: object }} [options]
 * @returns {Promise<string | undefined>} what is wrong
 */
export function tryProgram({ code, output: expected }, folder, options = {}) {
  const isModule = /^(import|export)\b|^await\b|^\S.*\bawait\b/m.test(code);
  const file = join(folder, isModule ? 'block.mjs' : 'block.cjs');
  writeFileSync(file, code);
  const { node = process.execPath, env = process.env } = options;
  return new Promise((resolve) => {
    execFile(
      node,
      [file],
      { cwd: folder, env, timeout: 60_000 },
      (error, stdout, stderr) => {
        if (error) resolve(`${error.message}\n${stdout}${stderr}`);
        else if (expected !== undefined && stdout !== expected) {
          resolve(`it printed\n${stdout}instead of\n${expected}`);
        } else resolve(undefined);
      },
    );
  });
}
