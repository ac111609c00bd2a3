// An empty folder with one project in it, its tools, and our tarballs.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { root, which } from './paths.mjs';

const require = createRequire(import.meta.url);
export const {
  ABIS,
  PLATFORMS,
  binaryOf,
} = require('../../lib/addon/platforms.js');
const execute = promisify(execFile);
const LIMIT_MS = 600_000;
const PAUSES_MS = [2000, 20_000];

/** The registry of npm does not answer. */
export class Unreachable extends Error {}

const NO_NETWORK =
  /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT|ERR_STREAM_PREMATURE_CLOSE|E429|E50[0-4])\b/;

/** Variables of npm for scripts of this package are not for another one. */
const ownEnv = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^(npm_package_|npm_lifecycle_|npm_config_local_prefix|INIT_CWD|SW_|NODE_OPTIONS|NODE_PATH|JEST_|FORCE_COLOR)/i.test(
          name,
        ),
    ),
  );

/** The packages that an example's own package.json names, but this one. */
export function packagesOf(example) {
  const file = join(root, 'examples', example, 'package.json');
  const { dependencies, devDependencies } = require(file);
  const { 'sloppy-workers': ours, ...others } = dependencies;
  return { ...others, ...devDependencies };
}

/** Copies it without what the example's own tools have made in it. */
function copyExample(example, to) {
  const made = ['node_modules', '.next', 'dist', 'package-lock.json'];
  cpSync(join(root, 'examples', example), to, {
    recursive: true,
    filter: (path) => !made.includes(basename(path)),
  });
}

export function requireEqual(actual, expected) {
  const [left, right] = [actual, expected].map((value) =>
    JSON.stringify(value),
  );
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

export class ToolFolder {
  /** @param {{ folder: string, tarballs: string[], registry: string, node: string, major: string }} of */
  constructor({ folder, tarballs, registry, node, major }) {
    this.major = major;
    this.folder = folder;
    this.tarballs = tarballs;
    this.registry = registry;
    this.node = realpathSync(node);
    this.env = {
      ...ownEnv(),
      PATH: [dirname(this.node), process.env.PATH].join(delimiter),
      npm_config_ignore_scripts: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      npm_config_prefer_offline: 'true',
      NEXT_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      CI: '1',
    };
  }

  get mainTarball() {
    return this.tarballs.find((path) =>
      /^sloppy-workers-\d/.test(basename(path)),
    );
  }

  /** Copies the project and installs what it needs. */
  async prepare(name, { packages, common = [], example, manifest }) {
    const parts = [...common.map((part) => `common/${part}`), name];
    this.#copy(parts, this.folder);
    if (example) copyExample(example, this.folder);
    this.#describe('.', packages, manifest);
    await this.npm('install', '--loglevel=error');
  }

  /** Lays out another project below, for another package manager. */
  copyProject(common, path, packages) {
    const folder = join(this.folder, path);
    this.#copy([`common/${common}`], folder);
    this.#describe(path, packages);
    return folder;
  }

  #copy(parts, folder) {
    mkdirSync(folder, { recursive: true });
    for (const part of parts) {
      cpSync(join(root, 'test/tools', part), folder, {
        recursive: true,
        filter: (path) => basename(path) !== 'tool.mjs',
      });
    }
  }

  #describe(path, packages, manifest) {
    const dependencies = {
      ...packages,
      'sloppy-workers': `file:${this.mainTarball}`,
    };
    const content = { private: true, ...manifest, dependencies };
    this.write(join(path, 'package.json'), content);
    // The binaries' packages are not in npm's registry yet.
    const scope = `@sloppy-workers:registry=${this.registry}\n`;
    this.write(join(path, '.npmrc'), scope);
  }

  write(path, content) {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    const text =
      typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    writeFileSync(file, text);
  }

  npm(...args) {
    const npm = realpathSync(which('npm'));
    return this.online(() => this.run(this.node, [npm, ...args]));
  }

  /**
   * Runs a step that fetches packages, with further tries when it fails,
   * because a registry hiccups; names a registry that cannot be reached.
   */
  async online(step) {
    for (const pause of [...PAUSES_MS, undefined]) {
      try {
        return await step();
      } catch (error) {
        const said = `${error.stderr}${error.stdout}`;
        if (pause === undefined) {
          const line = NO_NETWORK.exec(said)?.[0];
          if (line) throw new Unreachable(`npm's registry: ${line}`);
          throw error;
        }
        console.log(`${error.message}\n${said}\ntrying again in ${pause} ms`);
        await setTimeout(pause);
      }
    }
  }

  async run(file, args, { env, cwd = this.folder } = {}) {
    const { stdout, stderr } = await execute(file, args, {
      cwd,
      env: { ...this.env, ...env },
      timeout: LIMIT_MS,
      maxBuffer: 2 ** 26,
    });
    return { stdout, stderr, output: stdout + stderr };
  }

  /** The script of a command that a package brought. */
  bin(command) {
    return realpathSync(join(this.folder, 'node_modules/.bin', command));
  }

  /** Moves what was built to a folder where nothing else is in reach. */
  moveOut(path) {
    const folder = `${this.folder}-moved`;
    renameSync(join(this.folder, path), folder);
    rmSync(this.folder, { recursive: true });
    return folder;
  }

  /** The addon for this Node, as the platform's package has it. */
  binary() {
    const scope = join(this.folder, 'node_modules/@sloppy-workers');
    const [id] = readdirSync(scope);
    const abi = ABIS[this.major];
    return join(scope, id, binaryOf(abi));
  }

  /**
   * Starts a server that prints nothing it must; asks it until it answers.
   *
   * @param {string[]} args of node
   * @param {string} url with PORT for the port
   */
  async ask(args, path, { env, cwd = this.folder } = {}) {
    const port = await freePort();
    const child = spawn(this.node, args, {
      cwd,
      env: { ...this.env, ...env, PORT: String(port), HOSTNAME: '127.0.0.1' },
    });
    let output = '';
    const keep = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    try {
      for (let tries = 0; tries < 1200; tries += 1) {
        if (child.exitCode !== null) break;
        const answer = await fetch(`http://127.0.0.1:${port}${path}`).then(
          (response) => response.text(),
          () => undefined,
        );
        if (answer !== undefined) return answer;
        await setTimeout(100);
      }
      throw new Error(`the server does not answer\n${output}`);
    } finally {
      child.kill('SIGKILL');
    }
  }

  /** The steps that a tool.mjs is given. */
  steps() {
    const last = ({ stdout }) => stdout.trimEnd().split('\n').at(-1);
    const runTool = (command, args, options) =>
      this.run(this.node, [this.bin(command), ...args], options);
    return {
      folder: this.folder,
      node: this.node,
      env: this.env,
      major: Number(this.major),
      write: (path, content) => this.write(path, content),
      tool: runTool,
      run: (file, args, options) => this.run(file, args, options),
      ask: (args, path, options) => this.ask(args, path, options),
      /** The last line that a node program or a tool printed. */
      nodePrints: async (args, options) =>
        last(await this.run(this.node, args, options)),
      toolPrints: async (command, args, options) =>
        last(await runTool(command, args, options)),
      remove: (...paths) => {
        for (const path of paths) {
          rmSync(join(this.folder, path), { recursive: true });
        }
      },
      moveOut: (path) => this.moveOut(path),
      binary: () => this.binary(),
      copyProject: (...given) => this.copyProject(...given),
      online: (step) => this.online(step),
      /** Ours, of the platforms' packages. */
      registry: this.registry,
      /** A setting of npm that another package manager needs too. */
      npmSetting: async (name) => {
        const value = last(await this.npm('config', 'get', name));
        return value === 'null' ? undefined : value;
      },
      requireEqual,
    };
  }

  remove() {
    for (const folder of [this.folder, `${this.folder}-moved`]) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
