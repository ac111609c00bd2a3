// The tools that projects are built and tested with, with our tarballs:
//   npm run test:tools [-- --all] [-- --nodes 20,24] [-- name part]...
//
// Each folder of test/tools is copied to an empty folder outside of the
// repository. Its tools, pinned, come from npm and `sloppy-workers` from
// tarballs packed here, with install scripts off. --all adds what takes
// minutes, --keep leaves the folders, --packed <dir> packs nothing.
//
// A tool is skipped, by name, only where the registry cannot be reached.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { main, Problem } from './lib/fail.mjs';
import { otherNode, readMajors } from './lib/fetch-node.mjs';
import { serveTarballs } from './lib/local-registry.mjs';
import { platformManifest } from './lib/pack.mjs';
import { root } from './lib/paths.mjs';
import { report } from './lib/results.mjs';
import { passThrough } from './lib/run.mjs';
import { PLATFORMS, ToolFolder, Unreachable } from './lib/tool-folder.mjs';

const folder = join(root, 'test/tools');
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    nodes: { type: 'string', default: process.versions.node.split('.')[0] },
    packed: { type: 'string' },
  },
});
const majors = readMajors(options.nodes.split(','), '--nodes 20,24');
const counts = { passed: 0, failed: 0, skipped: 0 };

const isWanted = (name) =>
  existsSync(join(folder, name, 'tool.mjs')) &&
  (wanted.length === 0 || wanted.some((part) => name.includes(part)));

const loadTools = () =>
  Promise.all(
    readdirSync(folder)
      .filter(isWanted)
      .map(async (name) => ({
        name,
        ...(await import(join(folder, name, 'tool.mjs'))),
      })),
  );

async function check(label, body) {
  try {
    await body();
    counts.passed += 1;
    console.log(`  pass ${label}`);
  } catch (error) {
    if (error instanceof Unreachable) throw error;
    counts.failed += 1;
    const { stdout = '', stderr = '' } = error;
    console.log(`  FAIL ${label}\n${error.message}\n${stdout}${stderr}`);
  }
}

async function runTool({ name, ...tool }, label, place) {
  const began = Date.now();
  try {
    await place.prepare(name, tool);
    await tool.default({
      ...place.steps(),
      check: (what, body) => check(`${label}: ${what}`, body),
    });
    const seconds = ((Date.now() - began) / 1000).toFixed(1);
    console.log(`  (${label} took ${seconds} s)`);
  } catch (error) {
    if (error instanceof Unreachable) {
      counts.skipped += 1;
      console.log(`  SKIPPED ${label}: ${error.message}`);
    } else await check(label, () => Promise.reject(error));
  }
}

async function packAll(out) {
  const script = join(root, 'scripts/pack-all.mjs');
  const args = ['--platforms', 'here', '--nodes', majors.join(), '--out', out];
  const status = await passThrough(process.execPath, [script, ...args]);
  if (status !== 0) throw new Problem('pack-all failed');
}

const hasNode = ({ nodes = '20' }, major) => Number(major) >= Number(nodes);

async function runTools(tools, parent, tarballs) {
  const isOurs = (name) =>
    tarballs.some((path) => path.includes(`/${name}-`)) ||
    tarballs.some((path) => path.includes(`/sloppy-workers-${name}-`));
  const absent = PLATFORMS.filter(({ id }) => !isOurs(id));
  const registry = await serveTarballs(tarballs, absent.map(platformManifest));
  try {
    for (const major of majors) {
      const other = otherNode(major);
      const node = other ? join(other, 'bin/node') : process.execPath;
      for (const tool of tools.filter((row) => hasNode(row, major))) {
        const place = new ToolFolder({
          folder: join(parent, `${tool.name}-${major}`),
          tarballs,
          registry: registry.url,
          node,
          major,
        });
        await runTool(tool, `Node ${major}, ${tool.name}`, place);
        if (!options.keep) place.remove();
      }
    }
  } finally {
    registry.close();
  }
}

await main(async () => {
  const tools = (await loadTools()).filter(
    ({ takesMinutes }) => options.all || wanted.length > 0 || !takesMinutes,
  );
  if (tools.length === 0)
    throw new Problem(`no tool has ${wanted} in its name`);
  const parent = mkdtempSync(join(tmpdir(), 'sw-tools-'));
  try {
    const out = options.packed
      ? resolve(options.packed)
      : join(parent, 'packed');
    if (!options.packed) await packAll(out);
    const tarballs = readdirSync(out)
      .filter((name) => name.endsWith('.tgz'))
      .map((name) => join(out, name));
    await runTools(tools, parent, tarballs);
  } finally {
    if (options.keep) console.log(`left in ${parent}`);
    else rmSync(parent, { recursive: true, force: true });
  }
  report('tools', counts);
});
