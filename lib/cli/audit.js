'use strict';

const { auditWorkers } = require('./audit-resources.js');
const { usageError } = require('./exit.js');
const { readPlan } = require('./plan.js');
const { addReportCommand } = require('./report.js');

const EXAMPLES = `
Lists the worker resources of a plan with their bounds, and what is odd about
them. Payloads, reasons and secrets that a plan may hold are never printed.

Examples:
  $ sloppy-workers audit app.plan.json
  $ sloppy-workers audit app.plan.json --json | jq '.findings[].code'

Exit codes: 0 no error among the findings, 1 an error, 2 wrong use, 3 the file
cannot be read.
`;

const note = (code, message, path) => ({
  severity: 'note',
  code: `SLOPPY_AUDIT_WORKERS_${code}`,
  message,
  path,
});

const GENERAL = [
  note(
    'PLAN_VISIBLE',
    'sloppy/workers is Plan-visible as stdlib.workers',
    'requiredFeatures',
  ),
  note(
    'BOUNDED',
    'worker queues, pools, services, and JS workers must declare bounded ' +
      'lifecycle policy before runtime admission',
    'workers',
  ),
  note(
    'PAYLOAD_REDACTED',
    'worker audit output reports policy metadata without payload values',
    'workers',
  ),
];

/** @returns {{ severity, code, message, path }[]} */
function auditPlan(plan) {
  if (plan === null) {
    const message = 'the plan is not a JSON object';
    return [
      {
        severity: 'error',
        code: 'SLOPPY_AUDIT_PLAN_UNREADABLE',
        message,
        path: 'plan',
      },
    ];
  }
  if (!plan.usesWorkers) return [];
  return [...GENERAL, ...auditWorkers(plan.workers, plan.redact)];
}

async function rowsOf(path) {
  if (path === undefined) {
    throw usageError('audit needs a plan', 'sloppy-workers audit plan.json');
  }
  return auditPlan(await readPlan(path));
}

const addAuditCommand = (program, end) =>
  addReportCommand(program, end, {
    name: 'audit',
    summary: 'look through the worker resources of a plan',
    examples: EXAMPLES,
    rowsOf,
    title: 'Sloppy Audit',
    key: 'findings',
    level: 'severity',
    line: ({ severity, code, message, path }) =>
      `[${severity}] ${code} ${message} (${path})`,
    none: 'No findings.',
  });

module.exports = { addAuditCommand };
