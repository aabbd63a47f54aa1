/** Script of the report. It only adds: filters, keyboard, zoom, live micro-apps. Without it everything can still be read. */
export const BEHAVIOUR = `
'use strict';
(() => {
  const root = document.documentElement;
  root.classList.add('js');
  const $ = (selector) => document.querySelector(selector);
  const index = JSON.parse($('#index').textContent);
  const rows = [...document.querySelectorAll('.tasks tbody tr')];
  const sections = [...document.querySelectorAll('.task')];
  const fields = { text: $('#f-text'), status: $('#f-status'), cause: $('#f-class'), category: $('#f-category') };

  const fill = (select, values) => {
    for (const [value, count] of [...values].sort((a, b) => (a[0] < b[0] ? -1 : 1))) select.add(new Option(value + ' (' + count + ')', value));
  };
  const count = (list) => list.reduce((map, value) => map.set(value, (map.get(value) || 0) + 1), new Map());
  fill(fields.status, count(index.map((task) => task.status)));
  fill(fields.cause, count(index.flatMap((task) => task.classes)));
  fill(fields.category, count(index.map((task) => task.category)));

  const apply = () => {
    const words = fields.text.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    index.forEach((task, at) => {
      const fits = words.every((word) => task.text.includes(word))
        && (!fields.status.value || task.status === fields.status.value)
        && (!fields.cause.value || task.classes.includes(fields.cause.value))
        && (!fields.category.value || task.category === fields.category.value);
      rows[at].hidden = sections[at].hidden = !fits;
      if (fits) shown += 1;
    });
    $('#f-count').textContent = shown === index.length ? index.length + ' tasks' : shown + ' of ' + index.length + ' tasks';
    $('#nothing').hidden = shown > 0;
  };
  const clear = () => { for (const field of Object.values(fields)) field.value = ''; apply(); };
  for (const field of Object.values(fields)) field.addEventListener('input', apply);
  $('.tools').addEventListener('submit', (event) => event.preventDefault());
  $('#f-clear').addEventListener('click', clear);
  apply();

  const reveal = (element) => {
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    element.scrollIntoView({ block: 'start' });
  };
  const followHash = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target) reveal(target);
  };
  addEventListener('hashchange', followHash);
  document.addEventListener('click', (event) => {
    const link = event.target.closest('.tasks a');
    if (link && link.hash === location.hash) followHash();
  });
  followHash();

  let current = -1;
  const visible = () => sections.filter((section) => !section.hidden);
  const move = (by) => {
    const list = visible();
    if (list.length === 0) return;
    sections[current]?.classList.remove('current');
    const from = list.indexOf(sections[current]);
    const next = list[Math.min(list.length - 1, Math.max(0, from + by))];
    current = sections.indexOf(next);
    next.classList.add('current');
    next.querySelector('summary').focus({ preventScroll: true });
    next.scrollIntoView({ block: 'start' });
  };
  const theme = () => {
    const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
    root.dataset.theme = dark ? 'light' : 'dark';
  };
  $('#f-theme').addEventListener('click', theme);
  const expand = () => {
    const list = visible();
    const open = list.some((section) => !section.open);
    for (const section of list) section.open = open;
  };
  $('#f-expand').addEventListener('click', expand);

  const zoom = $('#zoom');
  let strip = [];
  let at = 0;
  const show = () => {
    zoom.querySelector('img').src = strip[at].src;
    zoom.querySelector('img').alt = strip[at].alt;
    zoom.querySelector('p').textContent = strip[at].alt + ' \\u00b7 ' + (at + 1) + ' of ' + strip.length;
  };
  for (const picture of document.querySelectorAll('.strip img')) picture.tabIndex = 0;
  const enlarge = (picture) => {
    strip = [...picture.closest('.strip').querySelectorAll('img')];
    at = strip.indexOf(picture);
    show();
    zoom.showModal();
  };
  document.addEventListener('click', (event) => {
    if (event.target.matches('.strip img')) enlarge(event.target);
    if (event.target.closest('#zoom')) zoom.close();
  });

  const embed = (details, sandbox) => {
    const old = details.querySelector('iframe');
    const frame = old.cloneNode();
    frame.setAttribute('sandbox', sandbox);
    frame.srcdoc = old.dataset.document;
    old.replaceWith(frame);
  };
  document.addEventListener('toggle', (event) => {
    const { target } = event;
    if (target.matches('.app') && target.open && !target.querySelector('iframe').srcdoc) embed(target, '');
  }, true);
  for (const button of document.querySelectorAll('.run')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      embed(button.closest('.app'), 'allow-scripts');
      button.textContent = 'Restart';
    });
  }

  const keys = {
    j: () => move(1), k: () => move(-1), '/': () => fields.text.focus(), t: theme, x: expand,
    o: () => { const task = sections[current]; if (task) task.open = !task.open; },
    g: () => scrollTo(0, 0),
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (zoom.open) {
      if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') { at = (at + (event.key === 'ArrowRight' ? 1 : strip.length - 1)) % strip.length; show(); }
      return;
    }
    if (event.key === 'Enter' && event.target.matches('.strip img')) { enlarge(event.target); return; }
    if (event.target.matches('input, select, textarea')) { if (event.key === 'Escape') { clear(); event.target.blur(); } return; }
    const act = keys[event.key];
    if (act) { event.preventDefault(); act(); }
  });
})();
`
