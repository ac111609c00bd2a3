import { defineConfig } from 'vitepress';
import { dist, pages } from '../paths.mjs';

/** As GitHub makes its anchors, which the documents' links are written for. */
const slugify = (heading) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

const page = (text, link) => ({ text, link });

export default defineConfig({
  title: 'sloppy-workers',
  description: "CPU work off Node's main thread, in V8 isolates.",
  srcDir: pages,
  outDir: dist,
  cacheDir: '../build/site/cache',
  // Followed by build.mjs too, with their anchors.
  ignoreDeadLinks: false,
  markdown: {
    anchor: { slugify },
    toc: { slugify },
    languageAlias: { mjs: 'js' },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // The members of all types would come before every guide.
          searchOptions: {
            boostDocument: (id) => (/\/api\//.test(id) ? 0.1 : 1),
          },
        },
      },
    },
    outline: [2, 3],
    nav: [
      page('Guide', '/README'),
      page('Reference', '/docs/api-worker-pool'),
      page('API', '/api/'),
      page('Codes', '/docs/codes'),
      page('Examples', '/examples/README'),
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          page('Introduction', '/README'),
          page('Install', '/docs/install'),
          page('Frameworks and tools', '/docs/frameworks'),
          page('Inside a worker', '/docs/runtime'),
          page('Modules', '/docs/modules'),
          page('Options', '/docs/options'),
          page('Limits', '/docs/limits'),
          page('Command line', '/docs/cli'),
          page('Observability', '/docs/observability'),
          page('Debugging', '/docs/debugging'),
          page("Node's threads", '/docs/threads'),
          page('Beyond one process', '/docs/beyond-one-process'),
          page('Examples', '/examples/README'),
        ],
      },
      {
        text: 'Reference',
        items: [
          page('WorkerPool', '/docs/api-worker-pool'),
          page('Worker', '/docs/api-worker'),
          page('WorkQueue', '/docs/api-work-queue'),
          page('Sloppy, BackgroundService', '/docs/api-app'),
          page('Time', '/docs/api-time'),
          page('Error codes', '/docs/codes'),
          page('All types', '/api/'),
        ],
      },
      {
        text: 'Coming from',
        items: [
          page('piscina', '/docs/guide-from-piscina'),
          page('workerpool', '/docs/guide-from-workerpool'),
          page('jest-worker', '/docs/guide-from-jest-worker'),
          page('poolifier', '/docs/guide-from-poolifier'),
          page('isolated-vm', '/docs/guide-from-isolated-vm'),
          page('worker_threads', '/docs/guide-from-worker-threads'),
          page('Sloppy', '/docs/guide-from-sloppy'),
          page('Other pools, unchanged', '/docs/neighbours/README'),
        ],
      },
      {
        text: 'Background',
        items: [
          page('Performance', '/docs/performance'),
          page('Security', '/SECURITY'),
          page('Faults', '/docs/faults'),
          page('Architecture', '/src/README'),
          page('Contributing', '/CONTRIBUTING'),
          page('Changelog', '/CHANGELOG'),
        ],
      },
    ],
  },
});
