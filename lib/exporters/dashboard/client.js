(() => {
  const SVG = 'http://www.w3.org/2000/svg';
  const WIDTH = 320;
  const HEIGHT = 120;
  const LEFT = 46;
  const BOTTOM = 16;
  const TOP = 6;
  const MAX_SAMPLES = 300;
  const MIN_SAMPLES = 60;

  const status = document.getElementById('status');
  const main = document.getElementById('pools');
  const views = new Map();

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  function drawn(name, attributes) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    return made;
  }

  const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
  const compact = new Intl.NumberFormat('en', {
    notation: 'compact',
    maximumSignificantDigits: 3,
  });

  const count = (value) =>
    value >= 100_000 ? compact.format(value) : whole.format(value);
  const rate = (value) =>
    value < 10 ? precise.format(value) : count(Math.round(value));
  function duration(ms) {
    if (ms === null) return '–';
    if (ms < 1) return `${precise.format(ms * 1000)} µs`;
    if (ms < 1000) return `${precise.format(ms)} ms`;
    return `${precise.format(ms / 1000)} s`;
  }

  const megabytes = (bytes) => `${precise.format(bytes / 2 ** 20)} MB`;

  // The charts. A sample is one of Sampler's pools.
  const CHARTS = [
    {
      title: 'Queue',
      format: count,
      area: true,
      whole: true,
      first: ['queued', (sample) => sample.queued + sample.waiting],
      second: ['running', (sample) => sample.running],
      value: (sample) => [count(sample.queued + sample.waiting), 'jobs wait'],
    },
    {
      title: 'Throughput',
      format: rate,
      area: true,
      first: ['done', (sample) => sample.donePerSecond],
      second: ['failed', (sample) => sample.failedPerSecond],
      value: (sample) => [rate(sample.donePerSecond), 'jobs/s'],
    },
    {
      title: 'Latency, queue and run',
      format: duration,
      first: ['p50', (sample) => sample.p50],
      second: ['p99', (sample) => sample.p99],
      value: (sample) => [duration(sample.p99), 'p99 of the last sample'],
    },
    {
      title: 'Workers',
      format: count,
      area: true,
      whole: true,
      first: ['busy', (sample) => sample.busy ?? sample.running],
      second: ['alive', (sample) => sample.workers ?? null],
      value: (sample) => [
        count(sample.busy ?? sample.running),
        sample.workers === undefined ? 'busy' : `of ${sample.workers} busy`,
      ],
    },
  ];

  /** The next 1, 2 or 5 times a power of ten. */
  function ceiling(value, atLeastOne) {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    const step = [1, 2, 5, 10].find((factor) => factor * power >= value);
    return atLeastOne ? Math.max(1, step * power) : step * power;
  }

  class Chart {
    constructor(about) {
      this.about = about;
      this.samples = [];
      this.at = null;
      this.figure = element('figure');
      this.figure.append(element('figcaption', '', about.title));
      this.value = element('p', 'value');
      this.svg = drawn('svg', {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: 'none',
        role: 'img',
      });
      this.legend = element('p', 'legend');
      this.plot = element('div', 'plot');
      this.plot.append(this.svg);
      // Text inside the drawing would be stretched with it.
      this.labels = ['top', 'middle', 'zero', 'from', 'to'].map((place) => {
        const label = element('span', `label ${place}`);
        label.setAttribute('aria-hidden', 'true');
        this.plot.append(label);
        return label;
      });
      this.figure.append(this.value, this.plot, this.legend);
      this.svg.addEventListener('pointermove', (event) => this.point(event));
      this.svg.addEventListener('pointerleave', () => {
        this.at = null;
        this.draw();
      });
    }

    update(samples) {
      this.samples = samples;
      this.draw();
    }

    point(event) {
      const box = this.svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * WIDTH;
      const share = (x - LEFT) / (WIDTH - LEFT);
      const back = Math.round((1 - share) * this.span);
      const index = this.samples.length - 1 - back;
      this.at = index >= 0 && share >= 0 ? index : null;
      this.draw();
    }

    /** Steps from the left edge to the right one. */
    get span() {
      return Math.max(MIN_SAMPLES, this.samples.length) - 1;
    }

    x(index) {
      const back = this.samples.length - 1 - index;
      return WIDTH - (back / this.span) * (WIDTH - LEFT);
    }

    draw() {
      const { about, samples } = this;
      const last = samples.at(-1);
      const [number, unit] = about.value(last);
      this.value.replaceChildren(number, ' ', element('small', '', unit));
      const [firstName, first] = about.first;
      const [secondName, second] = about.second;
      const highest = samples.reduce(
        (max, sample) => Math.max(max, first(sample) ?? 0, second(sample) ?? 0),
        0,
      );
      const top = ceiling(highest, about.whole);
      const y = (value) =>
        HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP);
      const parts = [];
      for (const share of [0, 0.5, 1]) {
        const at = y(share * top);
        parts.push(
          drawn('line', { x1: LEFT, x2: WIDTH, y1: at, y2: at, class: 'grid' }),
        );
      }
      if (about.area) parts.push(this.line(first, y, 'first-area', true));
      parts.push(this.line(first, y, 'first-line', false));
      // Dashed and last, so that both are seen where they coincide.
      parts.push(this.line(second, y, 'second-line', false));
      if (this.at !== null) {
        const at = this.x(this.at);
        parts.push(
          drawn('line', {
            x1: at,
            x2: at,
            y1: TOP,
            y2: HEIGHT - BOTTOM,
            class: 'cursor',
          }),
        );
      }
      this.svg.replaceChildren(...parts);
      const half = about.whole && top % 2 !== 0 ? '' : about.format(top / 2);
      this.scale(about.format(top), half);
      const shown = samples[this.at ?? samples.length - 1];
      const age = Math.round((last.at - shown.at) / 1000);
      this.legend.replaceChildren(
        element('b', 'first', firstName),
        ` ${about.format(first(shown))}   `,
      );
      if (about.format !== count || second(shown) !== null) {
        this.legend.append(
          element('b', 'second', secondName),
          ` ${about.format(second(shown))}   `,
        );
      }
      if (this.at !== null) this.legend.append(`${age} s ago`);
      this.svg.setAttribute('aria-label', `${about.title}: ${number} ${unit}`);
    }

    scale(top, middle) {
      const { samples } = this;
      const [first, last] = [samples[0], samples.at(-1)];
      const stepMs = (last.at - first.at) / (samples.length - 1);
      const seconds = Math.round((stepMs * this.span) / 1000);
      const from = seconds > 0 ? `${seconds} s ago` : '';
      [top, middle, '0', from, 'now'].forEach((text, i) => {
        this.labels[i].textContent = text;
      });
    }

    /** Draws a line, with a gap where a value is unknown. */
    line(pick, y, className, closed) {
      let path = '';
      let open = false;
      let x = 0;
      const close = () => {
        if (open && closed) path += `V${HEIGHT - BOTTOM}Z`;
        open = false;
      };
      this.samples.forEach((sample, index) => {
        const value = pick(sample);
        if (value === null) {
          close();
          return;
        }
        x = this.x(index).toFixed(1);
        const at = y(value).toFixed(1);
        if (open) path += `L${x} ${at}`;
        else if (closed) path += `M${x} ${HEIGHT - BOTTOM}L${x} ${at}`;
        // A value between two gaps is a dot.
        else path += `M${x} ${at}h.01`;
        open = true;
      });
      close();
      return drawn('path', {
        d: path,
        class: className,
        'stroke-linecap': 'round',
      });
    }
  }

  // A column without a text is hidden.
  const COLUMNS = [
    ['submitted', (sample) => count(sample.counters.submitted)],
    ['completed', (sample) => count(sample.counters.completed)],
    ['failed', (sample) => count(sample.counters.failed)],
    ['timed out', (sample) => count(sample.counters.timedOut)],
    ['cancelled', (sample) => count(sample.counters.cancelled)],
    ['refused', (sample) => count(sample.counters.refused)],
    ['keys', ({ keys }) => keys && count(keys.active)],
    ['held back', ({ keys }) => keys && count(keys.held)],
    [
      'shared',
      ({ shared }) =>
        shared && `${count(shared.values)} in ${megabytes(shared.bytes)}`,
    ],
    ['p50 of all', (sample) => duration(sample.latency.p50)],
    ['p99 of all', (sample) => duration(sample.latency.p99)],
  ];

  class View {
    constructor({ kind, name }) {
      this.samples = [];
      this.section = element('section');
      const heading = element('h2', '', name);
      heading.append(element('small', '', kind));
      this.charts = CHARTS.map((about) => new Chart(about));
      const charts = element('div', 'charts');
      charts.append(...this.charts.map((chart) => chart.figure));
      const table = element('table');
      table.append(element('caption', '', `Totals of ${name}`));
      const head = element('tr');
      const row = element('tr');
      this.cells = COLUMNS.map(([title]) => {
        const th = element('th', '', title);
        th.scope = 'col';
        head.append(th);
        const cell = element('td');
        row.append(cell);
        return [th, cell];
      });
      table.createTHead().append(head);
      table.createTBody().append(row);
      this.codes = element('p', 'codes');
      this.section.append(heading, charts, table, this.codes);
      main.append(this.section);
    }

    add(sample) {
      this.samples.push(sample);
      if (this.samples.length > MAX_SAMPLES) this.samples.shift();
    }

    draw() {
      const last = this.samples.at(-1);
      for (const chart of this.charts) chart.update(this.samples);
      COLUMNS.forEach(([, text], i) => {
        const [th, cell] = this.cells[i];
        const value = text(last);
        const isHidden = value === undefined;
        th.hidden = isHidden;
        cell.hidden = isHidden;
        cell.textContent = value ?? '';
      });
      const codes = Object.entries(last.counters.byCode);
      this.codes.textContent = codes
        .sort((a, b) => b[1] - a[1])
        .map(([code, times]) => `${code} ${count(times)}`)
        .join(' · ');
    }
  }

  function add({ at, pools }) {
    const seen = new Map();
    for (const pool of pools) {
      // Names need not be unique: the n-th of a name is the n-th here.
      const same = `${pool.kind} ${pool.name}`;
      const nth = seen.get(same) ?? 0;
      seen.set(same, nth + 1);
      const key = `${same} ${nth}`;
      if (!views.has(key)) views.set(key, new View(pool));
      views.get(key).add({ at, ...pool });
    }
  }

  function draw() {
    for (const view of views.values()) view.draw();
  }

  function tell(className, text) {
    status.className = className;
    status.textContent = text;
  }

  const tellState = (sample) =>
    sample?.isPartial
      ? tell('lost', 'a pool cannot be read')
      : tell('live', 'live');

  const events = new EventSource('?events');
  events.addEventListener('history', ({ data }) => {
    for (const view of views.values()) view.section.remove();
    views.clear();
    const samples = JSON.parse(data);
    for (const sample of samples) add(sample);
    draw();
    tellState(samples.at(-1));
  });
  events.addEventListener('sample', ({ data }) => {
    const sample = JSON.parse(data);
    add(sample);
    draw();
    tellState(sample);
  });
  events.addEventListener('error', () => tell('lost', 'connection lost'));
})();
