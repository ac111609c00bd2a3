import { tryUploads } from '../../../examples/uploads.mjs';
import { packagesOf } from '../../../scripts/lib/tool-folder.mjs';

export const example = 'nest-upload';
export const packages = packagesOf(example);

export default ({ check, tool, folder, node, env }) =>
  check('uploads to a controller', async () => {
    await tool('tsc', []);
    await tryUploads(['dist/main.js'], {
      node,
      cwd: folder,
      env,
      // Nest sends itself the signal again once it has closed everything.
      ends: [',SIGTERM'],
    });
  });
