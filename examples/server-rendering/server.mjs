// Two routes: /page renders, /health does nothing.

import { once } from 'node:events';
import { createServer } from 'node:http';

const ROWS = 1000;

/**
 * @param {(rows: number) => string | Promise<string>} render
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function listen(render) {
  const server = createServer(async (request, response) => {
    if (request.url !== '/page') return response.end('well');
    try {
      const page = await render(ROWS);
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
    } catch (error) {
      const isFull = error.code === 'SLOPPY_E_WORK_QUEUE_FULL';
      response.writeHead(isFull ? 503 : 500).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
