import { spawnSync } from 'node:child_process';
import { Lambda } from './runtime-api.mjs';

export const packages = { 'aws-lambda-ric': '3.3.0' };
// Its dependency node-gyp brings a hundred packages.
export const takesMinutes = true;

// One processor, and nothing to write to but /tmp. $0 is the function's folder,
// which is below /tmp here.
const CONFINE = [
  'mount --bind /tmp /tmp && mount --bind "$0" "$0"',
  'mount -o remount,bind,ro "$0" && mount -o remount,bind,ro /',
  'cd "$0"',
  'cpus=$(taskset -cp $$) && cpus=$(echo "$cpus" | sed "s/.*: //; s/[-,].*//")',
  'exec taskset -c "$cpus" "$@"',
].join(' && ');

const confined = (folder) => [
  ...['unshare', '--user', '--map-root-user', '--mount'],
  ...['--propagation', 'private', 'sh', '-c', CONFINE, folder],
];

export default async ({ check, node, folder, env, write, requireEqual }) => {
  write('node_modules/aws-lambda-ric/dist/rapid-client.node', '');
  const prefix = confined(folder);
  const [first, ...rest] = prefix;
  const { status, stderr } = spawnSync(first, [...rest, 'true']);
  if (status !== 0) throw new Error(`no namespace for it: ${stderr}`);
  const lambda = new Lambda();
  const ric = 'node_modules/aws-lambda-ric/bin/index.mjs';
  const command = [node, '-r', './runtime-client.cjs', ric, 'index.handler'];
  await lambda.start(first, [...rest, ...command], { cwd: folder, env });
  try {
    await check('nothing but /tmp is writable', async () =>
      requireEqual(await lambda.invoke({ action: 'writable' }), [
        ...['EROFS', 'EROFS', true],
      ]),
    );
    for (const runtime of ['isolate', 'thread']) {
      const ask = (action) => lambda.invoke({ runtime, action });
      await check(`${runtime}: a call after a cold start`, async () =>
        requireEqual(await ask('sum'), 500_500),
      );
      await check(`${runtime}: a call after it was frozen`, async () => {
        await lambda.freeze(2000);
        requireEqual(await ask('sum'), 500_500);
      });
      await check(`${runtime}: jobs that were left behind`, async () => {
        requireEqual(await ask('leave'), 'left');
        await lambda.freeze(2000);
        requireEqual(await ask('collect'), [
          'SLOPPY_E_WORK_JOB_TIMEOUT',
          'slept',
        ]);
        requireEqual(await ask('sum'), 500_500);
      });
    }
  } finally {
    lambda.end();
  }
};
