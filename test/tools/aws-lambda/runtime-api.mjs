// AWS Lambda as it is to the function in it: the Runtime API, which hands out
// one invocation at a time, and a freezer between two of them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';

const BASE = '/2018-06-01/runtime/';

/** Node 20 has no Promise.withResolvers. */
function deferred() {
  const parts = {};
  parts.promise = new Promise((resolve, reject) => {
    Object.assign(parts, { resolve, reject });
  });
  // Whether anybody waits for it by then is not known.
  parts.promise.catch(() => {});
  return parts;
}

export class Lambda {
  #server = createServer((request, response) => this.#serve(request, response));
  #output = '';
  #child;
  #invocations = 0;
  // The function's request that waits for an invocation.
  #idle = deferred();
  // The caller's answer to the invocation under way.
  #answer;

  /** Starts the function in a process of its own. */
  async start(command, args, { cwd, env }) {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const { port } = this.#server.address();
    const child = spawn(command, args, {
      cwd,
      env: { ...env, AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${port}` },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.#output += chunk;
      });
    }
    child.once('exit', (code, signal) =>
      this.#fail(new Error(`ended: ${code ?? signal}\n${this.#output}`)),
    );
    this.#child = child;
  }

  #fail(error) {
    this.#idle.reject(error);
    this.#answer?.reject(error);
  }

  async #serve(request, response) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const what = request.url.slice(BASE.length);
    if (what === 'invocation/next') this.#idle.resolve(response);
    else {
      response.writeHead(202).end();
      if (what.endsWith('/response')) this.#answer.resolve(JSON.parse(text));
      else this.#fail(new Error(`${what}: ${text}`));
    }
  }

  /** Resolves with what the handler returned. */
  async invoke(event) {
    const response = await this.#idle.promise;
    this.#idle = deferred();
    this.#answer = deferred();
    this.#invocations += 1;
    response.writeHead(200, {
      'Lambda-Runtime-Aws-Request-Id': `request-${this.#invocations}`,
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + 600_000),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:x:1:function:f',
    });
    response.end(JSON.stringify(event));
    return this.#answer.promise;
  }

  /** Stops every thread of the function once it waits for an invocation. */
  async freeze(milliseconds) {
    await this.#idle.promise;
    this.#child.kill('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    this.#child.kill('SIGCONT');
  }

  end() {
    this.#child?.kill('SIGKILL');
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
