/**
 * Script of the labelling page. Everything that a model wrote is put in as text, never as HTML (the page's policy demands Trusted Types, so
 * a slip would throw). Labels come from keys and buttons of this page alone: it listens to no message.
 */
export const LABEL_BEHAVIOUR = `
'use strict';
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, text, className) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (className) element.className = className;
    return element;
  };
  const VIEWS = ['pictures', 'app', 'answer', 'context'];
  let items = [];
  let appBase = '';
  let at = 0;
  let picture = 0;
  let view = 'pictures';
  let reviewing = false;
  const history = [];
  const moments = [];

  const post = async (path, body) => {
    const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  };
  const complain = (message) => {
    $('trouble').textContent = message;
    $('trouble').hidden = message === '';
  };

  const labelled = () => items.filter((item) => item.verdict !== null);
  const timeLeft = () => {
    const recent = moments.slice(-9);
    const left = items.length - labelled().length;
    if (recent.length < 4 || left === 0) return '';
    const gaps = recent.slice(1).map((moment, index) => moment - recent[index]).sort((a, b) => a - b);
    const minutes = (gaps[Math.floor(gaps.length / 2)] * left) / 60000;
    return minutes < 1 ? ' · under a minute left' : ' · about ' + Math.round(minutes) + ' min left';
  };
  const showProgress = () => {
    const done = labelled();
    const passes = done.filter((item) => item.verdict === 'PASS').length;
    const share = (count) => (100 * count) / Math.max(1, items.length) + '%';
    $('bar-pass').style.width = share(passes);
    $('bar-fail').style.width = share(done.length - passes);
    $('progress').setAttribute('aria-valuenow', String(done.length));
    $('progress').setAttribute('aria-valuemax', String(items.length));
    const bold = make('b', String(done.length));
    $('count').replaceChildren(bold, ' of ' + items.length + ' labelled · ' + passes + ' pass, ' + (done.length - passes) + ' fail' + timeLeft());
  };

  const showCriteria = (text) => {
    const parts = text.split(/\\b(PASS|FAIL)\\b/);
    $('criteria').replaceChildren(...parts.map((part, index) => (index % 2 === 1 ? make('b', part, part.toLowerCase()) : part)));
  };
  const pictureOf = (index, number) => 'picture/' + index + '/' + number;
  const showPicture = (number) => {
    const { pictures } = items[at];
    if (pictures.length === 0) return;
    picture = Math.min(Math.max(number, 0), pictures.length - 1);
    const caption = pictures[picture];
    $('picture').src = pictureOf(at, picture);
    $('picture').alt = 'Screenshot: ' + caption;
    $('caption').textContent = caption;
    [...$('strip').children].forEach((entry, index) => {
      const button = entry.firstElementChild;
      button.setAttribute('aria-current', String(index === picture));
      if (index === picture) entry.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    [...$('steps').children].forEach((entry) => entry.classList.toggle('shown', entry.dataset.picture === String(picture)));
  };
  const showStrip = () => {
    const { pictures } = items[at];
    $('strip').replaceChildren(
      ...(pictures.length < 2 ? [] : pictures).map((caption, index) => {
        const entry = make('li');
        const button = make('button');
        const image = make('img');
        button.title = caption;
        button.dataset.number = String(index);
        image.alt = caption;
        image.loading = 'lazy';
        image.src = pictureOf(at, index);
        button.append(image);
        button.addEventListener('click', () => showPicture(index));
        entry.append(button);
        return entry;
      }),
    );
  };
  const showSteps = () => {
    const { steps, pictures } = items[at];
    $('step-part').hidden = steps.length === 0;
    $('steps').replaceChildren(
      ...steps.map((step, index) => {
        const entry = make('li', step.text, (step.sent ? 'sent ' : '') + (step.done ? '' : 'undone '));
        entry.dataset.number = String(index + 1);
        const shown = pictures.findIndex((caption) => caption.startsWith('After step ' + (index + 1) + ':'));
        if (shown === -1) return entry;
        entry.dataset.picture = String(shown);
        entry.classList.add('pictured');
        entry.addEventListener('click', () => {
          showView('pictures');
          showPicture(shown);
        });
        return entry;
      }),
    );
  };
  const showContext = () => {
    const { tool_context: context, tool_calls: calls } = items[at];
    $('calls').textContent = calls.length === 0 ? 'None.' : calls.join(' → ');
    const none = context.length === 0 ? [make('p', 'The tools had nothing to tell for this task.', 'quiet')] : [];
    const parts = context.map((call) => {
      const part = make('div');
      part.append(make('h3', call.tool + ' ' + call.args), make('pre', call.output));
      return part;
    });
    $('context').replaceChildren(...none, ...parts);
  };
  const showView = (name) => {
    if ($('tab-' + name).disabled) return;
    view = name;
    for (const each of VIEWS) {
      $('view-' + each).hidden = each !== name;
      $('tab-' + each).setAttribute('aria-selected', String(each === name));
    }
    if (name !== 'app') return $('frame-place').replaceChildren();
    if ($('frame-place').firstElementChild) return;
    const frame = make('iframe');
    frame.setAttribute('sandbox', 'allow-scripts allow-forms');
    frame.setAttribute('referrerpolicy', 'no-referrer');
    frame.title = 'The micro-app';
    frame.src = appBase + at;
    $('frame-place').replaceChildren(frame);
  };

  const showItem = (index) => {
    at = index;
    const item = items[at];
    $('work').hidden = false;
    $('done').hidden = true;
    $('where').textContent = item.trial_id;
    $('rubric-id').textContent = item.rubric_id;
    showCriteria(item.criteria);
    $('prompt').textContent = item.user_prompt;
    $('payload-part').hidden = !item.has_app;
    $('payloads').replaceChildren(...(item.payloads.length === 0 ? [make('p', 'Nothing.', 'quiet')] : item.payloads.map((payload) => make('pre', payload))));
    $('answer').textContent = item.final_text === '' ? '(no words)' : item.final_text;
    $('note').value = item.note;
    $('position').textContent = at + 1 + ' of ' + items.length;
    $('pass').setAttribute('aria-pressed', String(item.verdict === 'PASS'));
    $('fail').setAttribute('aria-pressed', String(item.verdict === 'FAIL'));
    $('standing').textContent = item.verdict === null ? '' : 'Labelled ' + item.verdict + '; press again to change your mind';
    $('tab-pictures').disabled = item.pictures.length === 0;
    $('tab-app').disabled = !item.has_app;
    $('frame-place').replaceChildren();
    showSteps();
    showStrip();
    showContext();
    showPicture(0);
    // The app itself runs only when it is asked for.
    showView(item.pictures.length > 0 ? 'pictures' : 'answer');
    showProgress();
    document.querySelector('aside').scrollTop = 0;
    const following = items[at + 1];
    if (following) following.pictures.slice(0, 3).forEach((_, number) => (new Image().src = pictureOf(at + 1, number)));
  };
  const showDone = () => {
    const done = labelled();
    const passes = done.filter((item) => item.verdict === 'PASS').length;
    const all = done.length === items.length;
    $('work').hidden = true;
    $('done').hidden = false;
    $('frame-place').replaceChildren();
    $('done-title').textContent = all ? 'All ' + items.length + ' labelled' : done.length + ' of ' + items.length + ' labelled, the rest skipped';
    $('done-counts').textContent = passes + ' pass, ' + (done.length - passes) + ' fail';
    showProgress();
    $('done').focus();
  };

  const step = (by) => {
    const next = at + by;
    if (next >= items.length) showDone();
    else if (next >= 0) showItem(next);
  };
  const onward = () => {
    const later = items.findIndex((item, index) => index > at && item.verdict === null);
    if (later !== -1) return showItem(later);
    const open = items.findIndex((item) => item.verdict === null);
    if (open === -1 || open === at) return showDone();
    showItem(open);
  };
  const give = async (verdict) => {
    if ($('work').hidden) return;
    const index = at;
    const note = $('note').value;
    await post('label', { item: index, verdict, note });
    history.push({ index, verdict: items[index].verdict, note: items[index].note });
    items[index].verdict = verdict;
    items[index].note = note;
    moments.push(performance.now());
    $('note').blur();
    if (reviewing && index + 1 < items.length) return showItem(index + 1);
    onward();
  };
  const undo = async () => {
    const last = history.at(-1);
    if (!last) return;
    await post('label', { item: last.index, verdict: last.verdict, note: last.note });
    history.pop();
    items[last.index].verdict = last.verdict;
    items[last.index].note = last.note;
    showItem(last.index);
  };

  // One after another: a quick second key must meet what the first one led to.
  let queue = Promise.resolve();
  const act = (work) => {
    queue = queue.then(work).then(() => complain(''), (error) => complain('Not saved: ' + error.message));
  };

  const keys = {
    p: () => act(() => give('PASS')),
    f: () => act(() => give('FAIL')),
    s: () => act(() => step(1)),
    u: () => act(undo),
    n: () => $('note').focus(),
    '?': () => $('keys').showModal(),
    arrowright: () => act(() => step(1)),
    arrowleft: () => act(() => ($('work').hidden ? showItem(items.length - 1) : step(-1))),
    arrowdown: () => (showView('pictures'), showPicture(picture + 1)),
    arrowup: () => (showView('pictures'), showPicture(picture - 1)),
    1: () => showView('pictures'),
    2: () => showView('app'),
    3: () => showView('answer'),
    4: () => showView('context'),
  };
  addEventListener('keydown', (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !event.isTrusted || $('keys').open) return;
    if (event.target === $('note')) {
      if (event.key === 'Escape') $('note').blur();
      return;
    }
    const key = keys[event.key.toLowerCase()];
    if (key === undefined) return;
    event.preventDefault();
    key();
  });
  const press = (id, work) => $(id).addEventListener('click', work);
  press('pass', keys.p);
  press('fail', keys.f);
  press('skip', keys.s);
  press('undo', keys.u);
  press('previous', keys.arrowleft);
  press('next', keys.arrowright);
  press('keys-button', () => $('keys').showModal());
  press('keys-close', () => $('keys').close());
  for (const name of VIEWS) press('tab-' + name, () => showView(name));
  press('review', () => {
    const open = items.findIndex((item) => item.verdict === null);
    reviewing = open === -1;
    showItem(Math.max(0, open));
  });
  press('copy', () => navigator.clipboard.writeText($('next-command').textContent).then(() => ($('copy').textContent = 'Copied'), () => {}));
  press('end', () =>
    act(async () => {
      await post('end', {});
      $('done-title').textContent = 'Session ended';
      $('end').disabled = true;
      document.title = 'Session ended · genui-eval';
    }),
  );

  fetch('items')
    .then((response) => response.json())
    .then((data) => {
      appBase = data.app_base;
      items = data.items;
      const open = items.findIndex((item) => item.verdict === null);
      if (open === -1) {
        at = items.length - 1;
        showDone();
      } else showItem(open);
    })
    .catch((error) => complain('The session cannot be reached: ' + error.message));
})();
`
