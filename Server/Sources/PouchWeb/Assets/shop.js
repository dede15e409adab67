// Makes the storefront smoother. Every page works without it: each part below improves a form or a link of the page.
'use strict';
(() => {
  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (type, selector, act) => document.addEventListener(type, event => {
    const target = event.target instanceof Element && event.target.closest(selector);
    if (target) act(target, event);
  });
  const later = (act, wait) => {
    let timer;
    return (...values) => { clearTimeout(timer); timer = setTimeout(() => act(...values), wait); };
  };
  document.documentElement.classList.add('has-script');

  // Pages that replace a part of this one

  const speaker = document.body.appendChild(document.createElement('p'));
  speaker.className = 'visually-hidden';
  speaker.setAttribute('role', 'status');
  const speak = text => { speaker.textContent = text; };

  async function page(url, options) {
    const answer = await fetch(url, { credentials: 'same-origin', ...options });
    const text = await answer.text();
    const next = new DOMParser().parseFromString(text, 'text/html');
    if (!find('main', next)) throw new Error(answer.status);
    return { next, url: answer.url };
  }

  // A form is sent as the browser sends it, so that the server reads both in the same way.
  const post = (form, action = form.action) => page(action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });

  // Replaces the elements that match, in their order, and keeps the focus on the field with the same id.
  function replace(next, ...selectors) {
    const focus = document.activeElement?.id;
    for (const selector of selectors) {
      const fresh = all(selector, next);
      all(selector).forEach((old, index) => fresh[index] ? old.replaceWith(document.adoptNode(fresh[index])) : old.remove());
    }
    const field = focus && document.getElementById(focus);
    if (field && field !== document.activeElement) field.focus({ preventScroll: true });
    prepare();
    speak(all('[data-announce], main .notice').map(part => part.textContent.trim()).join(' '));
  }

  // The cart: a new quantity counts at once

  async function swap(form) {
    form.setAttribute('aria-busy', 'true');
    try {
      const { next } = await post(form);
      replace(next, 'main', '[data-cart]');
    } catch { form.submit(); }
  }
  const swapSoon = later(swap, 500);
  on('input', '[data-quantity] input[type=number]', input => {
    if (input.value !== '' && input.checkValidity()) swapSoon(input.form);
  });
  on('submit', '[data-quantity], [data-swap]', (form, event) => { event.preventDefault(); swap(form); });

  // The checkout: address and delivery change the total; nothing is paid twice

  let round = 0;
  on('change', '[data-recalculate]', async input => {
    const form = input.closest('[data-checkout]');
    if (!form) return;
    const mine = ++round;
    try {
      const { next } = await post(form, '/checkout/shipping');
      if (mine === round && find('#summary', next)) replace(next, '#delivery', '#summary', '[data-checkout] > [name=key]');
    } catch { /* The server calculates again before it charges. */ }
  });
  on('submit', '[data-once]', (form, event) => {
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = 'yes';
    const button = event.submitter;
    if (!button) return;
    button.setAttribute('aria-disabled', 'true');
    if (button.dataset.busy) { button.dataset.idle = button.textContent; button.textContent = button.dataset.busy; }
  });
  // A page from the browser's history can be used again.
  addEventListener('pageshow', event => {
    if (!event.persisted) return;
    for (const form of all('[data-once]')) delete form.dataset.sent;
    for (const button of all('[aria-disabled]')) {
      button.removeAttribute('aria-disabled');
      if (button.dataset.idle) button.textContent = button.dataset.idle;
    }
  });

  // A product: one choice for each option finds the variant

  function choose(form) {
    const groups = all('[data-options] fieldset', form).map(group => all('input', group));
    const chosen = groups.map(inputs => inputs.find(input => input.checked)?.value);
    const variants = new Map(all('[name=sku]', form).map(input => [input.dataset.key, input]));
    groups.forEach((inputs, index) => inputs.forEach(input => {
      const variant = variants.get(chosen.with(index, input.value).join('|'));
      input.parentElement.classList.toggle('is-out', !variant || variant.disabled);
    }));
    const variant = variants.get(chosen.join('|'));
    all('[name=sku]', form).forEach(input => { input.checked = input === variant && !input.disabled; });
    show(form, variant);
  }
  function show(form, variant) {
    const stock = find('[data-stock]', form);
    const out = !variant || variant.disabled;
    stock.textContent = variant ? variant.dataset.stock : stock.dataset.soldOut;
    stock.classList.toggle('is-out', out);
    stock.classList.toggle('is-low', !out && 'low' in variant.dataset);
    const button = find('[type=submit]', form);
    if (button) button.disabled = out;
    if (!variant) return;
    const price = find('[data-price]');
    find('span:not([class])', price).textContent = variant.dataset.price;
    const before = find('del', price);
    if (before) { before.textContent = variant.dataset.before; before.hidden = !variant.dataset.before; }
    const picture = all('.gallery [data-value]').find(part => part.dataset.value && variant.dataset.key.split('|').includes(part.dataset.value));
    if (picture) {
      picture.parentElement.prepend(picture);
      picture.parentElement.scrollLeft = 0;
    }
  }
  on('change', '[data-options] input', input => choose(input.closest('form')));
  on('change', '[data-variants] input', input => show(input.form, input));

  // The search: suggestions while typing, the arrow keys go through them

  const box = find('[data-suggestions]');
  const suggest = later(async text => {
    if (text.length < 2) { box.hidden = true; return; }
    try {
      const answer = await fetch('/search?fragment=suggestions&q=' + encodeURIComponent(text));
      if (!answer.ok || text !== find('#search').value.trim()) return;
      box.innerHTML = await answer.text();
      box.hidden = false;
    } catch { box.hidden = true; }
  }, 200);
  on('input', '#search', input => suggest(input.value.trim()));
  on('keydown', '[data-search]', (form, event) => {
    if (event.key === 'Escape') { box.hidden = true; find('#search').focus(); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || box.hidden) return;
    event.preventDefault();
    const stops = [find('#search'), ...all('a', box)];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
  document.addEventListener('focusin', event => { if (!event.target.closest('[data-search]')) box.hidden = true; });

  // Filters: open one at a time, the short ones count at once

  on('change', '[data-submit]', input => input.form.requestSubmit());
  document.addEventListener('click', event => {
    if (!event.target.closest('[data-search]')) box.hidden = true;
    for (const facet of all('.facet[open]')) if (!facet.contains(event.target)) facet.open = false;
  });
  on('keydown', '.facet[open]', (facet, event) => {
    if (event.key === 'Escape') { facet.open = false; find('summary', facet).focus(); }
  });

  // An order: its page follows the server's events

  let events;
  function follow() {
    const url = find('[data-live]')?.dataset.live;
    if (events && (!url || !events.url.endsWith(url))) { events.close(); events = null; }
    if (!url || events) return;
    events = new EventSource(url);
    events.addEventListener('status', async () => {
      try { replace((await page(location.href)).next, 'main'); } catch { /* The next event tries again. */ }
    });
    events.addEventListener('position', event => {
      const { x, y, eta } = JSON.parse(event.data);
      find('[data-courier]')?.setAttribute('transform', `translate(${+x} ${+y})`);
      const text = find('[data-eta]');
      if (text && eta) text.textContent = eta;
    });
  }

  on('click', '[data-print]', () => print());

  // What each new page or part of it needs

  function prepare() {
    for (const button of all('[data-print]')) button.hidden = false;
    for (const link of all('[data-errors] a[href^="#"]')) {
      const field = document.getElementById(link.hash.slice(1));
      if (!field) continue;
      link.id ||= 'error-' + field.id;
      field.setAttribute('aria-invalid', 'true');
      field.setAttribute('aria-describedby', [field.getAttribute('aria-describedby'), link.id].filter(Boolean).join(' '));
    }
    const form = find('[data-buy]');
    const options = form && find('[data-options]', form);
    if (options?.hidden) {
      options.hidden = false;
      find('[data-variants]', form).hidden = true;
      choose(form);
    }
    follow();
  }
  prepare();

  // Links in mails have their secret behind the #, which a browser sends to no server.
  const form = find('[data-token-form]');
  if (form && location.hash.length > 1) {
    find('[data-token]', form).value = location.hash.slice(1);
    history.replaceState(null, '', location.pathname + location.search);
    if (form.dataset.tokenForm === 'submit') form.requestSubmit();
    else find('[data-token]', form).parentElement.hidden = true;
  }
})();
