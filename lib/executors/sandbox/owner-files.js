'use strict';
// The files that the process of a sandbox sees: the modules that its owner means
// to give, with what these import; and what is below the folders of the option
// `sandbox.roots`.

const { constants } = require('node:fs');
const fs = require('node:fs/promises');
const path = require('node:path');

// The questions and results of src/sandbox/owner_files.h.
const Question = Object.freeze({ Real: 1, Stamp: 2, List: 3, Read: 4 });
const Result = Object.freeze({ Found: 0, Missing: 1, TooLarge: 2 });
// FileKind of src/isolate/modules/file_path.h.
const NONE = 0;
const FILE = 1;
const FOLDER = 2;

const MAX_PATHS = 100_000;
const { O_NONBLOCK, O_RDONLY } = constants;

const MISSING = { result: Result.Missing, body: Buffer.alloc(0) };
const found = (body) => ({ result: Result.Found, body });

function kindOf(status) {
  if (status.isFile()) return FILE;
  return status.isDirectory() ? FOLDER : NONE;
}

async function stamp(file) {
  const status = await fs.stat(file);
  const body = Buffer.alloc(20);
  body.writeUInt32LE(kindOf(status), 0);
  body.writeDoubleLE(status.size, 4);
  body.writeDoubleLE(Math.floor(status.mtimeMs), 12);
  return found(body);
}

// Reading a FIFO or a device may have no end, so these are refused.
async function read(file, maxBytes) {
  const handle = await fs.open(file, O_RDONLY | O_NONBLOCK);
  try {
    const status = await handle.stat();
    if (!status.isFile()) return MISSING;
    if (status.size > maxBytes) return { ...MISSING, result: Result.TooLarge };
    return found(await handle.readFile());
  } finally {
    await handle.close();
  }
}

async function list(folder) {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  const parts = [];
  const word = (value) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value, 0);
    parts.push(bytes);
  };
  word(entries.length);
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    word(kindOf(entry));
    word(name.length);
    parts.push(name);
  }
  return found(Buffer.concat(parts));
}

const ANSWERS = {
  __proto__: null,
  [Question.Real]: async (file) => found(Buffer.from(await fs.realpath(file))),
  [Question.Stamp]: stamp,
  [Question.List]: list,
  [Question.Read]: read,
};

const isInside = (file, folder) =>
  file === folder ||
  file.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);

/** The files that the processes of one pool may see. */
class PoolFiles {
  // The paths that were asked for while nobody's code had run.
  #known = new Set();
  // The modules of which all is known that they may load later.
  #foreseen = new Set();
  #roots;

  /** @param {string[]} roots absolute */
  constructor(roots) {
    this.#roots = roots;
  }

  know(file) {
    if (this.#known.size < MAX_PATHS) this.#known.add(file);
  }

  /** @returns {boolean} whether all is known that these may load later */
  isForeseen(modules) {
    return modules.every((each) => this.#foreseen.has(each));
  }

  foresaw(modules) {
    for (const each of modules) this.#foreseen.add(each);
  }

  /** @returns {Promise<boolean>} whether a process may see what is there */
  async shows(file) {
    if (this.#known.has(file)) return true;
    for (const root of this.#roots) {
      if (isInside(file, root) && (await this.#isReallyInside(file, root))) {
        return true;
      }
    }
    return false;
  }

  // A link below a root may lead anywhere.
  async #isReallyInside(file, root) {
    try {
      return isInside(await fs.realpath(file), await fs.realpath(root));
    } catch {
      // Nothing is to be seen there.
      return false;
    }
  }
}

/** The files that one process may see: all, while it runs only our loader. */
class ProcessFiles {
  isOpen = false;
  #pool;

  /** @param {PoolFiles} pool */
  constructor(pool) {
    this.#pool = pool;
  }

  /**
   * @param {number} question one of Question
   * @param {string} file
   * @param {number} maxBytes of a text
   * @returns {Promise<{ result: number, body: Buffer }>}
   */
  async answer(question, file, maxBytes) {
    const ask = ANSWERS[question];
    const isPath =
      path.isAbsolute(file) &&
      !file.includes('\0') &&
      path.normalize(file) === file;
    if (ask === undefined || !isPath) return MISSING;
    try {
      if (this.isOpen) this.#pool.know(file);
      else if (!(await this.#pool.shows(file))) return MISSING;
      return await ask(file, maxBytes);
    } catch {
      return MISSING;
    }
  }
}

module.exports = { PoolFiles, ProcessFiles };
