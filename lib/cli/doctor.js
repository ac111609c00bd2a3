'use strict';

const { basename } = require('node:path');
const { performance } = require('node:perf_hooks');

const { familySync } = require('detect-libc');

const { loadNative } = require('../addon/load.js');
const { WorkerPool } = require('../pool/worker-pool.js');
const { machineRows } = require('./machine.js');
const { readPlan } = require('./plan.js');
const { addReportCommand } = require('./report.js');
const { sandboxRow } = require('./sandbox-row.js');

const OLDEST_NODE = 20;
const START_LIMIT_MS = 30_000;
const STATUSES = ['ok', 'warn', 'error', 'skipped'];
const CONTRACT = 'stdlib.workers.contract';

const EXAMPLES = `
Checks the addon for this Node, starts an isolate and a sandbox, and reads the
limits of the machine. With a plan, its worker rows follow, without payload values.

Examples:
  $ sloppy-workers doctor
  $ sloppy-workers doctor app.plan.json
  $ sloppy-workers doctor --json | jq -r '.checks[] | select(.status != "ok")'

Exit codes: 0 no error among the rows, 1 an error, 2 wrong use, 3 the plan
cannot be read.
`;

const row = (id, status, message) => ({ id, status, message });

function nodeRow() {
  const { node, modules, v8 } = process.versions;
  const isSupported = Number(node.split('.')[0]) >= OLDEST_NODE;
  const text = `Node ${node}, ABI ${modules}, V8 ${v8}`;
  return isSupported
    ? row('node.version', 'ok', text)
    : row(
        'node.version',
        'error',
        `${text}; ${OLDEST_NODE} or newer is needed`,
      );
}

const isAddon = (file) => /sloppy.*\.node$|abi\d+\.node$/.test(basename(file));

function addonRows() {
  const platform = [process.platform, process.arch, familySync()]
    .filter(Boolean)
    .join('-');
  try {
    loadNative();
    const file = Object.keys(require.cache).find(isAddon);
    const name = file === undefined ? 'the addon' : basename(file);
    return [
      row(
        'addon.binary',
        'ok',
        `${name} is loaded, for ABI ${process.versions.modules} on ${platform}`,
      ),
      row(
        'engine.v8',
        'ok',
        'V8 bridge compiled; runtime success still requires V8 tests',
      ),
    ];
  } catch (error) {
    const reason = error.cause?.message ?? error.message;
    return [
      row('addon.binary', 'error', `${reason}; ${error.hint ?? ''}`),
      row(
        'engine.v8',
        'warn',
        'V8 bridge disabled in this build; V8 runtime tests not run',
      ),
    ];
  }
}

async function isolateRow() {
  const pool = WorkerPool.create('doctor');
  const started = performance.now();
  try {
    const options = { input: 21, timeoutMs: START_LIMIT_MS };
    await pool.run(({ input }) => input * 2, options);
    const first = performance.now() - started;
    await pool.run(({ input }) => input * 2, options);
    const second = performance.now() - started - first;
    return row(
      'isolate.start',
      'ok',
      `first answer after ${first.toFixed(1)} ms, the next after ` +
        `${second.toFixed(2)} ms`,
    );
  } catch (error) {
    return row('isolate.start', 'error', error.message);
  } finally {
    await pool.stop({ drain: false });
  }
}

function planRows(plan) {
  if (plan === null) {
    return [row('app.plan.parse', 'error', 'the plan is not a JSON object')];
  }
  const parsed = row('app.plan.parse', 'ok', 'the plan is readable');
  if (!plan.usesWorkers) return [parsed];
  const contracts = plan.checks
    .filter(({ id }) => id === CONTRACT)
    .map(({ status, message }) =>
      row(
        CONTRACT,
        STATUSES.includes(status) ? status : 'warn',
        plan.redact(typeof message === 'string' ? message : ''),
      ),
    );
  return [
    parsed,
    row(
      'stdlib.workers.required',
      'ok',
      'Workers feature metadata is Plan-visible',
    ),
    row(
      'stdlib.workers.lifecycle',
      'ok',
      'workers are runtime resources with explicit bounded lifecycle policy ' +
        'metadata',
    ),
    row(
      'stdlib.workers.redaction',
      'ok',
      'worker doctor metadata omits payload and secret values',
    ),
    ...contracts,
  ];
}

const rowsOf = async (path) => [
  nodeRow(),
  ...addonRows(),
  await isolateRow(),
  await sandboxRow(),
  ...machineRows(),
  ...(path === undefined ? [] : planRows(await readPlan(path))),
];

const addDoctorCommand = (program, end) =>
  addReportCommand(program, end, {
    name: 'doctor',
    summary: 'check the installation, the machine and a plan',
    examples: EXAMPLES,
    rowsOf,
    title: 'Sloppy Doctor',
    key: 'checks',
    level: 'status',
    line: ({ id, status, message }) => `[${status}] ${id}: ${message}`,
  });

module.exports = { addDoctorCommand };
