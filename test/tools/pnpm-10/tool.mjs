import { join } from 'node:path';
import { TABLE } from '../answers.mjs';
import { LIBRARY } from '../npm-link/tool.mjs';

export const packages = { pnpm: '10.34.9' };

/** The folders that pnpm keeps of all projects, for this one alone. */
const ownFolders = (folder) => ({
  XDG_CACHE_HOME: join(folder, 'pnpm/cache'),
  XDG_DATA_HOME: join(folder, 'pnpm/data'),
  XDG_STATE_HOME: join(folder, 'pnpm/state'),
});

const WORKSPACE = 'packages: [library, app]\nhoist: false\n';

export default async (steps) => {
  const { check, tool, run, node, copyProject, online, write } = steps;
  const { nodePrints, requireEqual } = steps;
  const env = ownFolders(steps.folder);
  const install = (cwd) =>
    online(() => tool('pnpm', ['install', '--ignore-scripts'], { cwd, env }));
  await check('its node_modules of links', async () => {
    const cwd = copyProject('bundled', 'app', { 'd3-dsv': '3.0.1' });
    await install(cwd);
    requireEqual(await nodePrints(['app.mjs'], { cwd }), TABLE);
  });
  await check('a tasks file in another package of a workspace', async () => {
    const root = copyProject('linked', 'workspace', {});
    write('workspace/pnpm-workspace.yaml', WORKSPACE);
    write('workspace/library/package.json', LIBRARY);
    write('workspace/app/package.json', {
      name: 'app',
      dependencies: { [LIBRARY.name]: 'workspace:*' },
    });
    await install(root);
    const { stdout } = await run(node, ['app.mjs'], { cwd: join(root, 'app') });
    requireEqual(stdout, `${TABLE}\n${TABLE}\n`);
  });
};
