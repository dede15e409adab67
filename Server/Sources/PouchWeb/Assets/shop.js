// Makes the pages smoother. Everything works without it.
'use strict';
(() => {
  const find = (selector, root = document) => root.querySelector(selector);
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const on = (type, selector, act) => document.addEventListener(type, event => {
    const target = event.target instanceof Element && event.target.closest(selector);
    if (target) act(target, event);
  });
  const later = (act, wait, timer) => value => {
    clearTimeout(timer);
    timer = setTimeout(act, wait, value);
  };
  // Turns the response to a form into a normal history entry, so going back to it does not ask to send the form again.
  history.replaceState(history.state, '');
  const speaker = document.body.appendChild(document.createElement('p'));
  speaker.className = 'visually-hidden';
  speaker.role = 'status';

  // Pages that replace parts of this one

  async function load(url, form) {
    const body = form && new URLSearchParams(new FormData(form));
    const answer = await fetch(url, { method: form ? 'POST' : 'GET', body });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (!find('main', page)) throw new Error(answer.status);
    return page;
  }

  // Finds the same field, button or link in a new version of the page.
  function finder({ localName, id, name, value, href, form, textContent }) {
    const action = form?.action;
    return () => all(localName).find(one => id ? one.id === id
      : one.name === name && one.value === value && one.href === href && one.form?.action === action
        && (name || href || one.textContent === textContent));
  }

  // Keeps the focus with a selected entry, which the next key replaces, and announces changes.
  function replace(page, ...selectors) {
    const focus = document.activeElement;
    const isSelected = focus.value && String(getSelection()) === focus.value;
    const again = finder(focus);
    for (const selector of selectors) {
      const fresh = all(selector, page);
      all(selector).forEach((old, index) => fresh[index] && old.replaceWith(fresh[index]));
    }
    // A removed element, such as the button of a removed line, leaves the focus to the page.
    if (!focus.isConnected) {
      const next = again() ?? find('main');
      next.focus({ preventScroll: true });
      if (isSelected) next.select?.();
    }
    prepare();
    speaker.textContent = all('[data-announce], main > .notice').map(part => part.textContent).join(' ');
  }

  // The cart: a new quantity takes effect immediately. Each response replaces all forms, so they are sent in sequence.

  let turn = Promise.resolve();
  let waiting = 0;
  const swap = action => {
    waiting++;
    turn = turn.then(() => send(action)).finally(() => waiting--);
  };
  async function send(action) {
    const form = all('main form').find(form => form.action === action);
    // The line may have been removed, or its number may be incomplete.
    if (!form?.checkValidity()) return;
    form.ariaBusy = 'true';
    const sent = new FormData(form);
    try {
      const page = await load(action, form);
      // Keeps entries in other forms, and later entries in this one.
      for (const input of all('main input[id]')) {
        const fresh = page.getElementById(input.id);
        const known = input.form === form ? sent.get(input.name) : input.defaultValue;
        if (fresh && input.value !== known) fresh.value = input.value;
      }
      replace(page, 'main', '[data-cart]');
    } catch { form.submit(); }
  }
  const typed = new Map();
  const sendTyped = action => {
    clearTimeout(typed.get(action));
    if (typed.delete(action)) swap(action);
  };
  const quantity = '[data-quantity] [type=number]';
  on('input', quantity, ({ form: { action } }) => {
    clearTimeout(typed.get(action));
    typed.set(action, setTimeout(sendTyped, 500, action));
  });
  on('change', quantity, input => {
    input.value ||= input.defaultValue;
    input.reportValidity();
  });
  on('focusout', quantity, ({ form }) => sendTyped(form.action));
  // Saves the entered quantities before the checkout.
  on('click', 'main [href="/checkout"]', (_, event) => {
    for (const action of typed.keys()) sendTyped(action);
    const isWrong = !all(quantity).every(input => input.reportValidity());
    if (!isWrong && !waiting) return;
    event.preventDefault();
    if (!isWrong) turn.then(() => find('[data-errors]') || find('main [href="/checkout"]')?.click());
  });
  on('submit', '[data-quantity], [data-swap]', (form, event) => { event.preventDefault(); swap(form.action); });

  // The checkout: the address changes the total; nothing is sent twice

  // Waits while a button is pressed: one that is replaced before it is released gets no click.
  const release = () => find('button:active') && new Promise(done =>
    addEventListener('pointerup', () => setTimeout(done), { once: true }));
  let round = 0;
  on('change', '[data-checkout] [data-recalculate]', async ({ form, id }) => {
    const mine = ++round;
    try {
      const page = await load('/checkout/shipping', form);
      await release();
      // Does not change a payment in progress.
      if (mine !== round || form.ariaBusy) return;
      replace(page, '#delivery', '#summary', '[data-checkout] > [name=key]');
      if (id === 'address-country') replacePlace(page);
    } catch { /* The server calculates again. */ }
  });
  // The country determines the fields of an address. Later entries are kept.
  function replacePlace(page) {
    const typed = all('#address-place input').map(({ id, value }) => [id, value]);
    replace(page, '#address-place');
    for (const [id, value] of typed) {
      const field = document.getElementById(id);
      if (field?.matches('input')) field.value = value;
    }
  }
  on('change', '[data-address] #address-country', async ({ form, value }) => {
    try {
      const page = await load(`${form.dataset.address}?country=${value}`);
      if (find('#address-country').value === value) replacePlace(page);
    } catch { /* The server says what is missing. */ }
  });
  on('submit', '[data-once]', (form, event) => {
    if (form.ariaBusy) return event.preventDefault();
    form.ariaBusy = 'true';
    const button = event.submitter;
    if (button?.dataset.busy) button.textContent = button.dataset.busy;
  });
  // The forms of a page from the browser's history may have been sent. New keys let them take effect again.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && find('[data-once][aria-busy]')) return location.reload();
    if (!persisted && performance.getEntriesByType('navigation')[0]?.type !== 'back_forward') return;
    for (const key of all('[name=key]')) key.value += '-' + Date.now().toString(36);
  });

  // A product: its options find a variant

  function choose(form) {
    const groups = all('[data-options] fieldset', form).map(group => all('input', group));
    const values = groups.map(inputs => inputs.find(input => input.checked)?.value);
    const variants = new Map(all('[name=sku]', form).map(input => [input.dataset.key, input]));
    groups.forEach((inputs, place) => inputs.forEach(input => {
      const key = values.map((value, index) => index === place ? input.value : value).join('|');
      input.parentElement.classList.toggle('is-out', !input.checked && (variants.get(key)?.disabled ?? true));
    }));
    const variant = variants.get(values.join('|'));
    for (const input of variants.values()) input.checked = input === variant && !input.disabled;
    show(form, variant);
  }

  function show(form, variant) {
    const line = find('p[data-stock]', form);
    const isOut = variant?.disabled ?? true;
    const facts = variant?.dataset ?? { stock: line.dataset.soldOut };
    line.textContent = facts.stock;
    line.classList.toggle('is-out', isOut);
    line.classList.toggle('is-low', !isOut && 'low' in facts);
    const set = (selector, name, value) => all(selector).forEach(part => { part[name] = value; });
    set('[data-buy] [type=submit]', 'disabled', isOut);
    if (!variant) return;
    set('[data-price] > span:not([class])', 'textContent', facts.price);
    set('[data-price] del', 'textContent', facts.before);
    set('[data-price] > .before', 'hidden', !facts.before);
    const picture = all('.gallery > li').find(({ dataset }) => facts.key.split('|').includes(dataset.value));
    picture?.parentElement.prepend(picture);
  }
  on('change', '[data-options] input', input => choose(input.closest('form')));
  on('change', '[data-variants] input', input => show(input.form, input));

  // The search: suggestions, with arrow keys

  const search = find('#search');
  const box = find('[data-suggestions]');
  const suggest = later(async text => {
    box.hidden = text.length < 2;
    if (box.hidden) return;
    try {
      const answer = await fetch('/search?fragment=suggestions&q=' + encodeURIComponent(text));
      if (answer.ok && text === search.value.trim()) box.innerHTML = await answer.text();
    } catch { box.hidden = true; }
  }, 200);
  on('input', '#search', () => suggest(search.value.trim()));
  on('keydown', '[data-search]', (_, event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || box.hidden) return;
    event.preventDefault();
    const stops = [search, ...all('a', box)];
    stops.at((stops.indexOf(document.activeElement) + step) % stops.length).focus();
  });

  // Closing menus

  const close = ({ target, type }) => {
    if (!target.closest('[data-search]')) box.hidden = true;
    for (const facet of all('.facet[open]')) {
      // A click on text inside gives the focus to a part of the page that contains the menu. Chromium crashes if the
      // menu closes below the pointer.
      const isAround = type === 'focusin' && target.contains(facet);
      if (!isAround && !facet.contains(target)) facet.open = false;
    }
  };
  for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, close);
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    const facet = find('.facet[open]');
    if (facet) {
      facet.open = false;
      find('summary', facet).focus();
    } else if (!box.hidden) {
      box.hidden = true;
      search.focus();
    }
  });
  on('change', '[data-submit]', input => input.form.requestSubmit());
  on('click', '[data-print]', () => print());

  // Orders follow the server's events

  let events;
  function follow(url) {
    // The address names what the page shows, such as the ride.
    if (events && (!url || !events.url.endsWith(url))) events = events.close();
    if (events || !url) return;
    events = new EventSource(url);
    events.addEventListener('status', async () => {
      try {
        const page = await load(location.href);
        const notice = find('main > .notice');
        if (notice && !find('main > .notice', page)) find('main', page).prepend(notice);
        replace(page, 'main');
      } catch { /* The next event tries again. */ }
    });
    events.addEventListener('position', event => {
      const { x, y, eta } = JSON.parse(event.data);
      find('[data-courier]')?.setAttribute('transform', `translate(${+x} ${+y})`);
      const text = find('[data-eta]');
      if (text && eta) text.textContent = eta;
    });
  }

  // For a page or a new part of it

  function prepare() {
    for (const button of all('[data-print]')) button.hidden = false;
    for (const link of all('[data-errors] a')) {
      const field = document.getElementById(link.hash.slice(1));
      if (!field) continue;
      link.id = 'error-' + field.id;
      field.ariaInvalid = 'true';
      field.setAttribute('aria-describedby', `${link.id} ${field.getAttribute('aria-describedby') ?? ''}`.trim());
    }
    const options = find('[data-options]');
    if (options?.hidden) {
      options.hidden = false;
      find('[data-variants]').hidden = true;
      choose(options.closest('form'));
    }
    follow(find('[data-live]')?.dataset.live);
  }
  prepare();

  // Links in e-mails have their secret after the #. One may be opened on the page itself.
  function takeSecret() {
    const form = find('[data-token-form]');
    const secret = location.hash.slice(1);
    // Other links lead to a place on the page.
    if (!form || !secret || document.getElementById(secret)) return;
    const field = find('[data-token]', form);
    field.value = secret;
    history.replaceState(null, '', location.pathname);
    if (form.dataset.tokenForm === 'submit') form.requestSubmit();
    else field.parentElement.hidden = true;
  }
  takeSecret();
  addEventListener('hashchange', takeSecret);
})();
