'use strict';

const { open, readFile, stat } = require('node:fs/promises');
const { dirname } = require('node:path');

const { openToolFile } = require('../../base/tool-file.js');
const { CliError, Exit, fileError } = require('../exit.js');
const { oddField } = require('./checkpoint-shape.js');

const VERSION = 1;

const refusal = (message, hint) =>
  new CliError('SLOPPY_CLI_CHECKPOINT', message, {
    exit: Exit.Checkpoint,
    hint: hint ?? 'delete the checkpoint to start from the beginning',
  });

const notFile = (path) =>
  refusal(`${path} is no file`, 'name a file that may be replaced');

async function syncFolder(path) {
  // Windows cannot open a folder; its rename is journalled.
  const handle = await open(dirname(path)).catch(() => null);
  await handle?.sync().catch(() => {});
  await handle?.close();
}

/** Replaces the file as a whole, in a way that survives a power cut. */
async function saveCheckpoint(path, state) {
  const text = `${JSON.stringify({ version: VERSION, ...state })}\n`;
  let file;
  try {
    file = await openToolFile(path);
    await file.write(Buffer.from(text));
    await file.keep({ sync: true });
    await syncFolder(path);
  } catch (error) {
    await file?.discard();
    throw fileError('write', path, error);
  }
}

/** @returns {Promise<object | null>} null if there is none yet */
async function loadCheckpoint(path) {
  let text;
  try {
    // A pipe or a device would give nothing, or have no end.
    if (!(await stat(path)).isFile()) throw notFile(path);
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    if (error instanceof CliError) throw error;
    throw fileError('read', path, error);
  }
  const state = parse(text);
  if (state?.version !== VERSION) {
    throw refusal(`${path} is no checkpoint of this version`);
  }
  const odd = oddField(state);
  if (odd === undefined) return state;
  throw refusal(
    `${path} is damaged: its field "${odd}" is not what was written`,
  );
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Refuses a checkpoint of another job, or of an input that has changed.
 *
 * @param {object} saved
 * @param {object} job description of this run, in the same form
 * @throws {CliError} exit code 4
 */
function checkSameJob(saved, job) {
  for (const field of ['size', 'mtimeMs', 'prefix']) {
    if (saved.input[field] !== job.input[field]) {
      throw refusal('the input has changed since the checkpoint was written');
    }
  }
  for (const [field, value] of Object.entries(job.setup)) {
    if (saved.setup[field] === value) continue;
    throw refusal(
      `the checkpoint is of a run with another ${field}`,
      'repeat the command as it was, or delete the checkpoint to start anew',
    );
  }
}

module.exports = { checkSameJob, loadCheckpoint, refusal, saveCheckpoint };
