// Requests at moments that do not depend on the answers, as users send them.

import http from 'node:http';

export function clientOf(port) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 512 });
  /** @returns {Promise<number>} the status, once the body has come */
  const get = (path) =>
    new Promise((resolve, reject) => {
      http
        .get({ agent, host: '127.0.0.1', port, path }, (response) => {
          response.resume();
          response.once('end', () => resolve(response.statusCode));
          response.once('error', reject);
        })
        .once('error', reject);
    });
  return { get, close: () => agent.destroy() };
}

/**
 * @param {(path: string) => Promise<number>} get
 * @param {string} path
 * @param {number} perSecond
 * @param {number} seconds
 * @returns {Promise<{ ok: number[], refused: number[] }>} milliseconds from the
 *   moment for which each request was planned to its answer
 */
export async function send(get, path, perSecond, seconds) {
  const taken = { ok: [], refused: [] };
  const pending = [];
  const begin = performance.now();
  const count = Math.round(perSecond * seconds);
  for (let n = 0; n < count; ) {
    const due = begin + (n * 1000) / perSecond;
    if (performance.now() < due) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      continue;
    }
    pending.push(
      get(path).then((status) => {
        const list = status === 200 ? taken.ok : taken.refused;
        list.push(performance.now() - due);
      }),
    );
    n += 1;
  }
  await Promise.all(pending);
  return taken;
}

/** @returns {Promise<number>} pages per second with `lanes` under way */
export async function capacityOf(get, lanes, seconds) {
  const until = performance.now() + seconds * 1000;
  let pages = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() < until) {
        if ((await get('/page')) === 200) pages += 1;
      }
    }),
  );
  return pages / seconds;
}
