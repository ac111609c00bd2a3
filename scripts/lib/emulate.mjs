// Programs for Linux on arm64, run on this machine by qemu. The kernel is told
// of qemu in a namespace of its own, so that nothing on the machine changes and
// a program may start others, as tests do with process.execPath.

import { Problem } from './fail.mjs';
import { which } from './paths.mjs';
import { capture } from './run.mjs';

const QEMU = '/usr/bin/qemu-aarch64-static';
const LIBRARIES = '/usr/aarch64-linux-gnu';

// The first 20 bytes of an ELF file for arm64, and which bits of them count.
const MAGIC =
  '\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00';
const MASK =
  '\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff';

// Flags: keep argv[0], qemu is opened now, credentials of the program.
const script = [
  'mount -t binfmt_misc none /proc/sys/fs/binfmt_misc &&',
  `printf %s ':sw-arm64:M::${MAGIC}:${MASK}:${QEMU}:OCF'`,
  '>/proc/sys/fs/binfmt_misc/register && exec "$@"',
].join(' ');

const inNamespace = [
  'unshare',
  '--user',
  '--map-root-user',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  script,
  'sh',
];

/** The root of programs linked with Debian's libraries of the other processor. */
export const emulationEnv = { QEMU_LD_PREFIX: LIBRARIES };

/**
 * The words before a command whose program is for arm64: none where the
 * machine runs it as it is.
 *
 * @param {string} probe a program for arm64 that knows `--version`
 * @returns {string[]}
 * @throws {Problem} in one line, when neither way works
 */
export function emulationPrefix(probe) {
  const env = { ...process.env, ...emulationEnv };
  const works = (prefix) => {
    const [command, ...args] = [...prefix, probe, '--version'];
    return capture(command, args, { env });
  };
  if (works([]).status === 0) return [];
  if (!which(QEMU)) {
    throw new Problem(
      `${QEMU} is missing: on Debian 12, apt-get install qemu-user-static`,
    );
  }
  const { status, output } = works(inNamespace);
  if (status === 0) return inNamespace;
  throw new Problem(
    'programs for arm64 do not run in a namespace (Linux 6.7 or newer, and a ' +
      `container that may mount): ${output.trim().split('\n')[0]}`,
  );
}
