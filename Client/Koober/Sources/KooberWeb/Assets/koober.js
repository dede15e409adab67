// Keeps the page up to date without loading it again. Without this script, forms work, and the browser loads whole pages.
"use strict";

const searchPause = 300; // in milliseconds
const retryPause = 2000;

// MARK: The page

// Makes the element equal to another one, and keeps what has not changed: the focus, typed input, and elements that move.
function morph(old, next) {
  for (const { name } of [...old.attributes]) {
    // An open question stays open.
    if (!next.hasAttribute(name) && !(name === "open" && old.localName === "details")) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) === value) continue;
    old.setAttribute(name, value);
    if (name === "value" && old.localName === "input" && old !== document.activeElement) old.value = value;
  }
  let place = old.firstChild;
  for (const wanted of [...next.childNodes]) {
    const kept = wanted.id ? [...old.children].find((child) => child.id === wanted.id) : place;
    if (kept && isSame(kept, wanted)) {
      if (kept !== place) old.insertBefore(kept, place);
      if (kept.nodeType === Node.ELEMENT_NODE) morph(kept, wanted);
      else if (kept.data !== wanted.data) kept.data = wanted.data;
      place = kept.nextSibling;
    } else {
      old.insertBefore(wanted, place);
    }
  }
  while (place) {
    const next = place.nextSibling;
    place.remove();
    place = next;
  }
}

function isSame(one, other) {
  return one.nodeName === other.nodeName && (one.id || "") === (other.id || "");
}

// Shows an app part from the server. The focus moves only if the screen is another one, or its element is gone.
function show(source, { moves = false } = {}) {
  const next = new DOMParser().parseFromString(source, "text/html").getElementById("app");
  const app = document.getElementById("app");
  if (!next || !app) return;
  // An answer may come after the event of a later screen.
  if (Number(next.dataset.version) < Number(app.dataset.version)) return;
  const view = app.dataset.view;
  const hadFocus = isFocused();
  const problems = problemsIn(app);
  const focused = document.activeElement?.id;
  morph(app, next);
  const suffix = " – Koober";
  document.title = app.dataset.title === "Koober" ? "Koober" : app.dataset.title + suffix;
  const isOther = view !== app.dataset.view;
  const hasProblems = problemsIn(app) !== problems;
  const isCalled = isOther || hasProblems || moves;
  // A user who reads without a focus, or has scrolled, stays there.
  if (isCalled || (hadFocus && !isFocused())) moveFocus(app, isOther ? null : focused, hasProblems || moves, !isCalled);
}

function problemsIn(app) {
  return [...app.querySelectorAll("[aria-invalid]")].map((field) => field.id).join();
}

function isFocused() {
  const element = document.activeElement;
  return element && element !== document.body && !element.closest("[inert]") && !element.disabled;
}

// The server marks the element that receives the focus. An element that was replaced by an equal one keeps it.
function moveFocus(app, focused, toMarked, preventScroll) {
  const again = focused && !toMarked ? document.getElementById(focused) : null;
  const element = again && !again.disabled && !again.closest("[inert]") ? again : app.querySelector("[autofocus]");
  (element ?? app.querySelector("h1"))?.focus({ preventScroll });
}

// MARK: Forms

let searching = 0;
// The request under way, with the version of its page; null if there is none.
let sending = null;

function fields(form, submitter = null) {
  return new URLSearchParams(new FormData(form, submitter));
}

async function send(form, body, { isTyping = false } = {}) {
  clearTimeout(searching);
  const version = document.getElementById("app").dataset.version;
  try {
    const answer = await fetch(form.action, { method: "POST", body });
    const hadProblems = document.querySelector("[aria-invalid]") !== null;
    const page = await answer.text();
    // Sent again with the same problems, the first field with one gets the focus again; not if an event has shown what
    // came of it, since the user may be typing by now.
    const isShown = document.getElementById("app").dataset.version !== version;
    show(page, { moves: !isTyping && !isShown && hadProblems && form.id === "account" });
  } catch {
    // The connection ended: the event stream also detects this and shows it.
  }
}

document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = fields(event.target, event.submitter);
  // The second press of a double press sends the same from the same page. Another button of that page is not a second
  // press.
  const sent = `${document.getElementById("app").dataset.version} ${body}`;
  if (sending === sent) return;
  sending = sent;
  await send(event.target, body);
  if (sending === sent) sending = null;
});

document.addEventListener("input", (event) => {
  if (event.target.id !== "query") return;
  clearTimeout(searching);
  searchSoon(event.target.form);
});

function searchSoon(form) {
  searching = setTimeout(() => {
    if (sending !== null) searchSoon(form);
    else if (form.isConnected) send(form, fields(form), { isTyping: true });
  }, searchPause);
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing) return;
  const buttons = [...document.querySelectorAll("[data-escape]:enabled")].filter((button) => !button.closest("[inert]"));
  buttons.at(-1)?.click();
});

// MARK: Events

let stream = null;
let retry = 0;

function follow() {
  clearTimeout(retry);
  if (stream || document.hidden) return;
  stream = new EventSource("/events");
  stream.onopen = () => {
    // A restarted koober counts from the start.
    delete document.getElementById("app").dataset.version;
    tell("");
  };
  stream.onmessage = (event) => show(event.data);
  stream.onerror = () => {
    if (stream?.readyState !== EventSource.CLOSED) return tell(document.getElementById("lost").dataset.text);
    // The browser has given up.
    stream = null;
    ask();
  };
}

// Asks the server why there are no events, which the browser does not report.
async function ask() {
  const asking = new AbortController();
  let status = 0;
  let reason = document.getElementById("lost").dataset.text;
  try {
    const answer = await fetch("/events", { signal: asking.signal });
    status = answer.status;
    if (!answer.ok) reason = noticeIn(await answer.text()) ?? reason;
  } catch {
    // There is no server.
  }
  asking.abort();
  if (status !== 200) tell(reason);
  // A restarted koober does not know this browser.
  if (status !== 403) retry = setTimeout(follow, status === 200 ? 0 : retryPause);
}

function noticeIn(source) {
  return new DOMParser().parseFromString(source, "text/html").querySelector("#app [role=status]")?.textContent;
}

// Shows why the page is not updated; an empty text removes the message.
function tell(reason) {
  const notice = document.getElementById("lost");
  if (notice.textContent === reason) return;
  notice.hidden = reason === "";
  notice.textContent = reason;
}

// Browsers allow six connections to a site: a hidden tab needs none.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return follow();
  clearTimeout(retry);
  stream?.close();
  stream = null;
});

if (document.getElementById("lost")) follow();
