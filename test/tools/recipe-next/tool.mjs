import { tryUploads } from '../../../examples/uploads.mjs';
import { packagesOf } from '../../../scripts/lib/tool-folder.mjs';

export const example = 'next-upload';
export const packages = packagesOf(example);
export const takesMinutes = true;

export default ({ check, tool, folder, node, env }) =>
  check('uploads to a route', async () => {
    await tool('next', ['build']);
    await tryUploads(['node_modules/next/dist/bin/next', 'start'], {
      node,
      cwd: folder,
      env,
      path: '/api/sha256',
      // Next ends the process itself once all have their answers.
      ends: ['0,', '143,'],
      stops: false,
    });
  });
