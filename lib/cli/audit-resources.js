'use strict';
// Describes each worker resource of a plan, and its faults.

const { basename } = require('node:path');

const MANY_QUEUED = 100_000;
const MANY_THREADS = 256;

const positive = (value) => Number.isSafeInteger(value) && value > 0;

/**
 * Text of a bound, or of its fault. Texts of the plan are not shown, because
 * they may hold values.
 */
function boundText(value) {
  if (value === undefined || value === null) return 'none';
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}

const bound = (limit, consequence) => (value) => {
  if (!positive(value)) {
    return ['UNBOUNDED', `is ${boundText(value)}, not a positive whole number`];
  }
  return value > limit
    ? ['OVERSIZED', `is ${value}, over ${limit}: ${consequence}`]
    : undefined;
};

const queued = bound(MANY_QUEUED, 'a queue that long hides that work is late');
const threads = bound(MANY_THREADS, 'each is a thread with a heap of its own');
const jobs = bound(MANY_QUEUED, 'that bounds nothing');

function memory(value) {
  if (positive(value) && value >= 16 && value <= 4096) return undefined;
  return ['MEMORY', `is ${boundText(value)}, not 16 to 4096`];
}

const oneOf = (code, choices) => (value) =>
  value === undefined || choices.includes(value)
    ? undefined
    : [code, `is none of ${choices.join(', ')}`];

const overflow = oneOf('OVERFLOW', ['reject', 'backpressure']);
const start = oneOf('LIFECYCLE', ['app', 'manual']);
const shutdown = oneOf('LIFECYCLE', ['cancel-and-drain', 'drain', 'cancel']);

const KINDS = {
  backgroundService: { start, shutdown },
  workQueue: { maxQueued: queued, concurrency: jobs, overflow },
  workerPool: { workers: threads, maxQueued: queued },
  jsWorker: { memoryLimitMb: memory },
};
// The names of the resource table.
const SAME_KIND = {
  'workers.background_service': 'backgroundService',
  'workers.queue': 'workQueue',
  'workers.pool': 'workerPool',
  'workers.js_worker': 'jsWorker',
};
const OPTIONAL = ['overflow', 'maxQueuedBytes', 'memoryLimitMb', 'cpuLimitMs'];
const IDENTITY = ['kind', 'name', 'path', 'static'];

const warning = (code, message, path) => ({
  severity: 'warning',
  code: `SLOPPY_AUDIT_WORKERS_${code}`,
  message,
  path,
});

/** A name as it may be printed: short, in one line, without values. */
function shownName({ kind, name, path }, redact) {
  const isWorker = (SAME_KIND[kind] ?? kind) === 'jsWorker';
  const text = name ?? (isWorker ? path : undefined);
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  // The text of a data: URL is the module itself.
  if (text.startsWith('data:')) return 'data:';
  const short = isWorker ? basename(text) : text;
  const visible = short.replace(/[^\x20-\x7e\u00a1-\uffff]/g, ' ');
  return redact(visible.slice(0, 128));
}

/** The policy, without any text that the plan's author chose. */
function policyText(resource, checks) {
  const parts = Object.keys(checks).flatMap((field) => {
    const value = resource[field];
    const isKnown = value !== undefined && checks[field](value) === undefined;
    if (isKnown) return [`${field} ${value}`];
    return typeof value === 'number' ? [`${field} ${value}`] : [];
  });
  return parts.length > 0 ? `: ${parts.join(', ')}` : '';
}

function* strayFields(resource, checks, path) {
  const allowed = [...IDENTITY, ...OPTIONAL, ...Object.keys(checks)];
  const stray = Object.keys(resource).filter((key) => !allowed.includes(key));
  if (stray.length === 0) return;
  yield warning(
    'FIELD_UNKNOWN',
    `${stray.length} field(s) are no policy; a plan must not carry payloads`,
    path,
  );
}

function* auditResource(resource, path, redact) {
  const kind = SAME_KIND[resource?.kind] ?? resource?.kind;
  if (!Object.hasOwn(KINDS, String(kind))) {
    yield warning('KIND_UNKNOWN', 'not a kind of worker resource', path);
    return;
  }
  const checks = KINDS[kind];
  const name = shownName(resource, redact);
  const label = name === undefined ? kind : `${kind} "${name}"`;
  yield {
    severity: 'note',
    code: 'SLOPPY_AUDIT_WORKERS_RESOURCE',
    message: `${label}${policyText(resource, checks)}`,
    path,
  };
  if (name === undefined) {
    yield warning('UNNAMED', `${kind} has no name`, path);
  }
  for (const [field, check] of Object.entries(checks)) {
    const problem = check(resource[field]);
    if (problem === undefined) continue;
    const [code, text] = problem;
    yield warning(code, `${field} of ${label} ${text}`, `${path}.${field}`);
  }
  yield* strayFields(resource, checks, path);
}

const POLICY_FLAGS = {
  boundedByDefault: 'resources without bounds are allowed',
  noRawNativeHandles: 'native handles may reach user code',
  ownerThreadSettlement: 'promises may settle on a foreign thread',
};

/**
 * @param {{ resources: unknown[], policy: object }} workers of the plan
 * @param {(text: string) => string} redact
 * @returns {Generator<{ severity, code, message, path }>}
 */
function* auditWorkers({ resources, policy }, redact) {
  for (const [flag, consequence] of Object.entries(POLICY_FLAGS)) {
    if (policy[flag] === undefined || policy[flag] === true) continue;
    yield warning('POLICY', consequence, `workers.policy.${flag}`);
  }
  const seen = new Set();
  for (const [index, resource] of resources.entries()) {
    const path = `workers.resources[${index}]`;
    yield* auditResource(resource, path, redact);
    const { kind, name } = resource ?? {};
    const id = JSON.stringify([kind, name]);
    if (typeof name === 'string' && seen.has(id)) {
      yield warning('NAME_TWICE', 'has the kind and name of another', path);
    }
    seen.add(id);
  }
}

module.exports = { auditWorkers };
