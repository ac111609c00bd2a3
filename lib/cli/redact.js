'use strict';
// Removes texts that look like secrets from all output of doctor and audit,
// because programs write plans and may leak values into them.

const REDACTED = '[redacted]';
const SENSITIVE_KEY =
  /payload|^data$|^input$|^result$|reason|secret|passw|token|api.?key|credential|connection|cookie|authorization|^env$|^value$/i;
// Shorter ones are parts of ordinary words.
const MIN_LENGTH = 4;

const PATTERNS = [
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${REDACTED}@`],
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${REDACTED}`],
  [
    /\b(\w*(?:passw(?:or)?d|secret|token|api[-_]?key|payload|reason)\w*["']?\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s,;)}\]]+)/gi,
    `$1${REDACTED}`,
  ],
  // JSON Web Tokens, and keys of well-known services.
  [/\beyJ[\w-]{8,}\.[\w-]+(\.[\w-]+)?/g, REDACTED],
  [/\b(?:sk|pk|ghp|gho|xox[bap]|AKIA)[-_]?[A-Za-z0-9_-]{12,}/g, REDACTED],
];

function* leaves(value) {
  if (typeof value === 'string' || typeof value === 'number') {
    yield String(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) yield* leaves(member);
  }
}

function* sensitiveValues(value) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (SENSITIVE_KEY.test(key)) yield* leaves(member);
    else yield* sensitiveValues(member);
  }
}

/**
 * @param {unknown} plan
 * @returns {(text: string) => string} removes the plan's values under keys such
 *   as `payload`, `reason` or `secret`, and texts that look like credentials
 */
function createRedactor(plan) {
  const values = new Set(sensitiveValues(plan));
  const known = [...values]
    .filter((text) => text.length >= MIN_LENGTH)
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const value of known) clean = clean.replaceAll(value, REDACTED);
    for (const [pattern, by] of PATTERNS) clean = clean.replace(pattern, by);
    return clean;
  };
}

module.exports = { createRedactor };
