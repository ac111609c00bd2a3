// The page that is rendered: a table, by React as it is.

import { createElement } from 'react';
import { renderToString } from 'react-dom/server';

const h = createElement;

const Cell = ({ value }) => h('td', { className: 'cell' }, value);

const Row = ({ row }) =>
  h(
    'tr',
    { 'data-id': row.id },
    h(Cell, { value: row.id }),
    h(Cell, { value: row.name }),
    h(Cell, { value: `${row.total} €` }),
  );

const Page = ({ title, rows }) =>
  h(
    'main',
    null,
    h('h1', null, title),
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        rows.map((row) => h(Row, { key: row.id, row })),
      ),
    ),
  );

/**
 * @param {number} count of rows
 * @returns {string} HTML
 */
export function render(count) {
  const rows = Array.from({ length: count }, (_, id) => ({
    id,
    name: `Customer number ${id} & Sons`,
    total: (id * 7919) % 10_007,
  }));
  return renderToString(h(Page, { title: 'Orders', rows }));
}

export default render;
