'use strict';
// Starts VS Code's debugger for JavaScript, attaches it to the workers of a
// program, and prints where it stops: node drive.cjs <extension> <node>

const { fork } = require('node:child_process');
const { mkdirSync, readdirSync, readFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const { connect } = require('./adapter.cjs');
const createApi = require('./vscode.cjs');

const [, , extension, node] = process.argv;
const APP = path.join(__dirname, 'app');
const MARK = '// here';
const manifest = require(path.join(extension, 'package.json'));
const { api, factories, providers } = createApi(manifest, APP);

const load = Module._load;
Module._load = function loadWithApi(name, ...rest) {
  return name === 'vscode' ? api : load.call(this, name, ...rest);
};

function contextOf() {
  const storage = path.join(__dirname, 'storage');
  mkdirSync(storage, { recursive: true });
  const memento = {
    get: (_key, otherwise) => otherwise,
    update: async () => {},
    keys: () => [],
  };
  const context = {
    subscriptions: [],
    extensionPath: extension,
    extensionUri: api.Uri.file(extension),
    extension: { id: 'ms-vscode.js-debug', packageJSON: manifest },
    extensionMode: 1,
    asAbsolutePath: (name) => path.join(extension, name),
    workspaceState: memento,
    globalState: memento,
    environmentVariableCollection: { replace() {}, append() {}, delete() {} },
  };
  for (const kind of ['storage', 'globalStorage', 'log']) {
    context[`${kind}Path`] = storage;
    context[`${kind}Uri`] = api.Uri.file(storage);
  }
  return context;
}

const breakpoints = readdirSync(APP).flatMap((name) => {
  const file = path.join(APP, name);
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.endsWith(MARK));
  return at < 0 ? [] : [{ file, line: at + 1 }];
});

const stops = [];

async function stopped({ threadId, reason }, adapter) {
  const { stackFrames } = await adapter.ask('stackTrace', { threadId });
  const [frame, ...below] = stackFrames;
  const { result } = await adapter.ask('evaluate', {
    expression: 'result',
    frameId: frame.id,
    context: 'hover',
  });
  stops.push({
    reason,
    file: path.relative(APP, frame.source.path),
    // Another number is that of a copy that the debugger shows.
    copy: frame.source.sourceReference ?? 0,
    line: frame.line,
    result,
    shown: below.filter((each) => each.presentationHint !== 'deemphasize')
      .length,
  });
  await adapter.ask('continue', { threadId });
}

async function initialized(adapter) {
  for (const { file, line } of breakpoints) {
    await adapter.ask('setBreakpoints', {
      source: { path: file },
      breakpoints: [{ line }],
    });
  }
  await adapter.ask('configurationDone');
}

let sessions = 0;
async function debug(configuration, parentSession, ready = () => {}) {
  sessions += 1;
  const session = {
    id: `${sessions}`,
    type: 'pwa-node',
    name: configuration.name,
    configuration,
    parentSession,
    customRequest: (command, given) => adapter.ask(command, given),
  };
  const factory = factories['pwa-node'];
  const { given } = await factory.createDebugAdapterDescriptor(session);
  // Events may come before the adapter is here.
  const adapter = await connect(given, async (event, body, heard) => {
    if (event === 'stopped') await stopped(body, heard);
    if (event === 'initialized') {
      await initialized(heard);
      ready();
    }
  });
  adapter.ask(configuration.request, configuration);
}
api.debug.startDebugging = async (_folder, configuration, options) => {
  await debug(configuration, options?.parentSession ?? options);
  return true;
};

const STEPS = [
  'resolveDebugConfiguration',
  'resolveDebugConfigurationWithSubstitutedVariables',
];

/** Starts what stands in launch.json, as VS Code does. */
async function resolved(configuration) {
  let result = configuration;
  for (const { type, provider } of providers) {
    if (type !== 'pwa-node') continue;
    for (const step of STEPS) {
      result = (await provider[step]?.(undefined, result)) ?? result;
    }
  }
  return result;
}

async function main() {
  await require(path.join(extension, manifest.main)).activate(contextOf());
  const program = fork(path.join(APP, 'main.cjs'), { execPath: node });
  program.once('message', async ({ port }) => {
    const configuration = await resolved({
      type: 'pwa-node',
      request: 'attach',
      name: 'isolates',
      port,
      autoAttachChildProcesses: false,
      attachExistingChildren: false,
      skipFiles: ['<node_internals>/**'],
    });
    await debug(configuration, undefined, () => program.send('go'));
  });
  program.on('exit', (code) => {
    console.log(JSON.stringify({ code, stops }));
    process.exit();
  });
}

main();
