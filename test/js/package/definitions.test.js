'use strict';
// Editors: from a call through pool.tasks to the user's own function, and what
// is documented there.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const ts = require('@tsd/typescript');

const ROOT = join(__dirname, '../../..');
const FILES = {
  '/project/tasks.ts': `
    /** Counts the words of a text. */
    export function countWords(text: string): number {
      return text.split(' ').length;
    }`,
  '/project/main.ts': `
    import { WorkerPool } from '${ROOT}/types/index.js';
    const pool = WorkerPool.create<typeof import('./tasks.js')>('words');
    pool.tasks.countWords('a b');
    const calls = WorkerPool.create('calls', {
      host: {
        /** The price of one article. */
        price: (id: string) => id.length,
      },
    });
    calls.run(({ host }) => host.price('a'));`,
};

const textOf = (name) => FILES[name] ?? ts.sys.readFile(name);

const service = ts.createLanguageService({
  getScriptFileNames: () => Object.keys(FILES),
  getScriptVersion: () => '1',
  getScriptSnapshot(name) {
    const text = textOf(name);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT,
  getCompilationSettings: () => ({
    strict: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  }),
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name in FILES || ts.sys.fileExists(name),
  readFile: textOf,
});
afterAll(() => service.dispose());

const MAIN = '/project/main.ts';

function lookAt(name) {
  const at = FILES[MAIN].lastIndexOf(`.${name}(`) + 1;
  const [definition] = service.getDefinitionAtPosition(MAIN, at) ?? [];
  const info = service.getQuickInfoAtPosition(MAIN, at);
  return {
    file: definition?.fileName,
    text: definition && spanned(definition.fileName, definition.textSpan),
    documentation: ts.displayPartsToString(info?.documentation),
  };
}

const spanned = (file, { start, length }) =>
  (FILES[file] ?? readFileSync(file, 'utf8')).slice(start, start + length);

test('a task is defined where the user wrote it', () => {
  expect(service.getSemanticDiagnostics(MAIN)).toEqual([]);
  expect(lookAt('countWords')).toEqual({
    file: '/project/tasks.ts',
    text: 'countWords',
    documentation: 'Counts the words of a text.',
  });
});

test('so is a function of the host', () => {
  expect(lookAt('price')).toEqual({
    file: MAIN,
    text: 'price',
    documentation: 'The price of one article.',
  });
});
