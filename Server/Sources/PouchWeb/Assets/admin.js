// Speeds up the administration with shortcuts, growing lists and dropped pictures. Everything works without it.
"use strict";
const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const on = (type, selector, act) => document.addEventListener(type, event => {
  const target = event.target.closest?.(selector);
  if (target) act(target, event);
});
for (const part of all("[data-scripted]")) part.hidden = false;
// Turns the response to a form into a normal history entry, so going back to it does not ask to send the form again.
history.replaceState(history.state, "");

// Keyboard shortcuts
const places = { t: "/admin", o: "/admin/orders", p: "/admin/products" };
let goes = false;
const open = id => { const dialog = document.getElementById(id); if (!dialog.open) dialog.showModal(); };
const step = by => {
  const rows = all("[data-row]");
  const now = rows.findIndex(row => row.closest("tr, li").contains(document.activeElement));
  rows[Math.min(rows.length - 1, Math.max(0, now < 0 ? 0 : now + by))]?.focus();
};
document.addEventListener("keydown", event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input:not([type=checkbox], [type=radio]), select, textarea")) {
    if (event.key === "Escape" && event.target.matches("[data-search]")) event.target.blur();
    return;
  }
  if (find("dialog[open]")) return;
  const key = event.key, place = goes && places[key];
  goes = key === "g";
  if (place) location.href = place;
  else if (key === "j") step(1);
  else if (key === "k") step(-1);
  else if (key === "?") open("admin-shortcuts");
  else if (key === "/") find("[data-search]")?.focus();
  else return;
  event.preventDefault();
});
on("click", "[data-dialog]", (link, event) => { event.preventDefault(); open(link.dataset.dialog); });

// Selected rows: all of them, a range with the shift key, and their number
const chosen = form => {
  const boxes = all("[data-choose]", form), count = boxes.filter(box => box.checked).length;
  const whole = find("[data-choose-all]", form), label = find("[data-chosen]", form);
  if (whole) { whole.checked = count > 0 && count === boxes.length; whole.indeterminate = count > 0 && count < boxes.length; }
  if (label) label.textContent = count === 1 ? "1 selected" : count + " selected";
};
let last;
on("click", "[data-choose]", (box, event) => {
  const boxes = all("[data-choose]", box.form), [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
  if (event.shiftKey && from >= 0) for (const other of boxes.slice(from, to)) other.checked = box.checked;
  last = box;
  chosen(box.form);
});
on("change", "[data-choose-all]", box => {
  for (const other of all("[data-choose]", box.form)) other.checked = box.checked;
  chosen(box.form);
});

// Lists whose items can be added, moved and removed. The number in a field's name only has to be unique.
let next = 1000;
const changed = list => {
  all("[data-place]", list).forEach((field, index) => { field.value = index + 1; });
  if (list.closest("form")) list.closest("form").isChanged = true;
};
const add = list => {
  const html = document.getElementById(list.id + "-new").innerHTML.replaceAll("__n__", next++);
  list.insertAdjacentHTML("beforeend", html);
  for (const part of all("[data-scripted]", list)) part.hidden = false;
  changed(list);
  return list.lastElementChild;
};
on("click", "[data-add]", button => find("input, select", add(document.getElementById(button.dataset.add)))?.focus());
on("click", "[data-move]", button => {
  const item = button.closest("[data-item]"), isUp = button.dataset.move === "up";
  const other = isUp ? item.previousElementSibling : item.nextElementSibling;
  if (other) isUp ? other.before(item) : other.after(item);
  button.focus();
  changed(item.parentElement);
});
on("change", "[data-remove]", box => box.closest("[data-item]").classList.toggle("is-removed", box.checked));

// Variants of all combinations of the options' values, with the price of the last one
const field = (end, root) => find(`[name$="${end}"], [name*="${end}:"], [name*="${end}?"]`, root);
on("click", "[data-combine]", button => {
  const list = document.getElementById(button.dataset.combine), options = all("[data-option]").map((option, index) => (
    { index, values: find("textarea", option).value.split("\n").map(text => text.trim()).filter(Boolean) }
  )).filter(option => option.values.length);
  const words = row => options.map(option => field(".options." + option.index, row)?.value.trim() ?? "").join("\n");
  const rows = all("[data-item]", list), known = new Set(rows.map(words)), price = rows.map(row => field(".price", row)?.value).filter(Boolean).at(-1);
  for (const row of rows) if (!words(row).trim() && !field(".sku", row)?.value) row.remove();
  const sets = options.reduce((sets, option) => sets.flatMap(set => option.values.map(value => [...set, value])), [[]]);
  if (options.length) for (const set of sets.slice(0, 500)) {
    if (known.has(set.join("\n"))) continue;
    const row = add(list);
    options.forEach((option, at) => { const input = field(".options." + option.index, row); if (input) input.value = set[at]; });
    if (price) field(".price", row).value = price;
  }
});
on("input", "[data-option-name]", input => {
  const id = input.dataset.optionName, name = input.value || "Option", heading = document.getElementById(id);
  if (heading) heading.textContent = name;
  for (const root of [document, document.getElementById("variants-new").content]) {
    for (const cell of all(`[data-named-by="${id}"]`, root)) cell.dataset.label = name;
  }
});

// Pictures: each is uploaded separately and added to the list
const upload = async (form, file) => {
  const body = new FormData(form);
  body.delete("picture");
  body.append("picture", file);
  body.set("key", `${body.get("key")}-${next++}`);
  const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } })
    .catch(() => { throw new Error("The server did not respond. Try again."); });
  // The response is a page if the session has ended or the page has expired.
  if (!answer.headers.get("content-type")?.includes("json")) throw new Error("You may be signed out. Reload the page and try again.");
  const picture = await answer.json();
  if (!answer.ok) throw new Error(picture.detail ?? picture.title);
  return picture;
};
const send = async (zone, files) => {
  const list = document.getElementById(zone.dataset.drop), form = find("input[type=file]", zone).form, status = find("[role=status]", zone);
  const told = new Set();
  for (const file of [...files]) {
    status.textContent = `Uploading ${file.name} …`;
    try {
      const { url } = await upload(form, file), item = add(list);
      field(".url", item).value = find("img", item).src = url;
      told.add("Save the product to keep its pictures.");
    } catch (error) { told.add(`${file.name} could not be uploaded: ${error.message}`); }
  }
  status.textContent = [...told].join(" ");
};
on("change", "[data-drop] input[type=file]", input => send(input.closest("[data-drop]"), input.files).then(() => { input.value = ""; }));
for (const type of ["dragover", "dragleave", "drop"]) on(type, "[data-drop]", (zone, event) => {
  event.preventDefault();
  zone.classList.toggle("is-over", type === "dragover");
  if (type === "drop") send(zone, event.dataTransfer.files);
});

// Running imports, copying secrets, invalid fields, and unsaved changes
const follow = async () => {
  const part = find("[data-follow]");
  if (!part) return;
  try {
    const text = await (await fetch(part.dataset.follow)).text();
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(part.id);
    if (fresh) part.replaceWith(fresh);
  } catch { /* The next look tries again. */ }
  setTimeout(follow, 2000);
};
setTimeout(follow, 2000);
on("click", "[data-print]", () => print());
on("click", "[data-copy]", async button => {
  await navigator.clipboard?.writeText(document.getElementById(button.dataset.copy).textContent.trim());
  button.textContent = navigator.clipboard ? "Copied" : "Copying is not available";
});
for (const link of all("[data-errors] a")) document.getElementById(link.hash.slice(1))?.setAttribute("aria-invalid", "true");
on("input", "form[data-guard]", form => { form.isChanged = true; });
on("submit", "form", form => { form.isSent = true; });

// Keeps the entries when the session ends. After the sign-in, the form is sent without its token, so the server only
// shows it again. Secrets are not kept, and nothing is kept for another member.
const isSignIn = location.pathname === "/admin/sign-in", member = document.body.dataset.member;
const kept = JSON.parse(sessionStorage.getItem("typed") ?? "null");
const keep = form => { try { sessionStorage.setItem("typed", JSON.stringify(form)); } catch { /* It is too long. */ } };
sessionStorage.removeItem("typed");
if (isSignIn && kept) keep({ ...kept, isAsked: true });
else if (kept?.isAsked && kept.member === member) {
  const form = document.body.appendChild(document.createElement("form"));
  Object.assign(form, { method: "post", action: kept.action, hidden: true });
  for (const [name, value] of kept.fields) Object.assign(form.appendChild(document.createElement("textarea")), { name, value });
  form.submit();
}
on("submit", "form[method=post]", (form, { submitter }) => {
  const fields = [...form.elements].filter(({ type }) => !["hidden", "submit", "button", "fieldset"].includes(type));
  if (isSignIn || !fields.length) return;
  const secrets = new Set(["csrf", "key"]);
  for (const { name, type, autocomplete } of fields) if (type === "password" || autocomplete === "one-time-code") secrets.add(name);
  const typed = [...new FormData(form, submitter)].filter(([name, value]) => !secrets.has(name) && typeof value === "string");
  keep({ member, action: form.action, fields: typed });
});
addEventListener("beforeunload", event => {
  if (all("form[data-guard]").some(form => form.isChanged && !form.isSent)) event.preventDefault();
});
