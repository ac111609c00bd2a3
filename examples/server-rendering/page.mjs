// A page of a shop, rendered by React: a table of so many rows, as a string.
// The same file is imported by the server and loaded by the pool's workers.

import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';

const euros = (cents) => `${(cents / 100).toFixed(2)} €`;

const Price = ({ cents }) => h('td', { className: 'price' }, euros(cents));

function Row({ index }) {
  const cents = 199 + ((index * 7919) % 10_000);
  return h(
    'tr',
    { id: `row-${index}`, className: index % 2 ? 'odd' : 'even' },
    h('td', null, h('a', { href: `/goods/${index}` }, `Good ${index}`)),
    h('td', null, index % 3 === 0 ? h('em', null, 'new') : 'in stock'),
    h(Price, { cents }),
  );
}

const Page = ({ rows }) =>
  h(
    'main',
    null,
    h('h1', null, `${rows} goods`),
    h(
      'table',
      null,
      h(
        'tbody',
        null,
        Array.from({ length: rows }, (_, index) =>
          h(Row, { key: index, index }),
        ),
      ),
    ),
  );

export const render = (rows) => renderToString(h(Page, { rows }));
