// VS Code's own debugger (ms-vscode.js-debug, out of code-server's package)
// stops in isolates, in the user's files.

import { join } from 'node:path';

export const packages = { 'code-server': '4.139.1', ws: '8.23.0' };
export const takesMinutes = true;

const EXTENSION =
  'node_modules/code-server/lib/vscode/extensions/ms-vscode.js-debug';

const at = (file, line, result) => ({
  reason: 'breakpoint',
  file,
  copy: 0,
  line,
  result,
  shown: 0,
});

export default async ({ check, folder, node, run, requireEqual }) =>
  check('breakpoints in functions and modules', async () => {
    // VS Code does so, which has a Node of its own.
    const { stdout } = await run(process.execPath, [
      'drive.cjs',
      join(folder, EXTENSION),
      node,
    ]);
    requireEqual(JSON.parse(stdout.trim().split('\n').at(-1)), {
      code: 0,
      stops: [
        at('main.cjs', 17, '21'),
        at('module.mjs', 4, '6'),
        at('stripped.ts', 10, '6'),
        at('transformed.mts', 8, '8'),
        at('common.cjs', 3, '12'),
      ],
    });
  });
