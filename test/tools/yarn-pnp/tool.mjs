import { INLINE, TABLE } from '../answers.mjs';
import { TASKS } from '../esbuild/tool.mjs';

export const packages = { '@yarnpkg/cli-dist': '4.18.1' };

// Yarn's folder of all projects would give the next run the addon of this one:
// it mirrors each project's packages and what registries said of them.
const settings = ({ npmRegistry, cafile, registry }) => `
enableGlobalCache: false
enableScripts: false
enableTelemetry: false
globalFolder: ./.yarn/global
nodeLinker: pnp
npmPreapprovedPackages: ['@sloppy-workers/*', 'sloppy-workers']
npmRegistryServer: '${npmRegistry}'
npmScopes: { sloppy-workers: { npmRegistryServer: '${registry}' } }
unsafeHttpWhitelist: ['127.0.0.1']
${cafile ? `httpsCaFilePath: '${cafile}'` : ''}
`;

export default async (steps) => {
  const { check, copyProject, online, requireEqual, write } = steps;
  const cwd = copyProject('bundled', 'app', {
    'd3-dsv': '3.0.1',
    esbuild: '0.28.2',
  });
  const { npmSetting, registry } = steps;
  const npmRegistry = await npmSetting('registry');
  const cafile = await npmSetting('cafile');
  write('app/.yarnrc.yml', settings({ npmRegistry, cafile, registry }));
  // A file of its own keeps it from belonging to a project above it.
  write('app/yarn.lock', '');
  const yarn = (...args) => steps.toolPrints('yarn', args, { cwd });
  await online(() => yarn('install', '--no-immutable'));
  await check('functions that are sent', async () => {
    requireEqual(await yarn('node', 'inline.mjs'), INLINE);
  });
  await check('a thread, whose imports are in zip files', async () => {
    requireEqual(
      await yarn('node', 'thread.mjs'),
      TABLE.replace('isolate', 'node'),
    );
  });
  await check('a hint for the imports of an isolate', async () => {
    requireEqual(
      await yarn('node', 'hint.mjs'),
      'SLOPPY_E_WORKER_ISOLATE_STARTUP_FAILED: true',
    );
  });
  await check('a bundled tasks file', async () => {
    await yarn('esbuild', ...TASKS, '--outfile=tasks.mjs', '--allow-overwrite');
    requireEqual(await yarn('node', 'app.mjs'), TABLE);
  });
  await check('an unplugged package by its resolved name', async () => {
    await yarn('unplug', '-AR', 'd3-dsv');
    requireEqual(await yarn('node', 'named.mjs'), TABLE);
  });
};
