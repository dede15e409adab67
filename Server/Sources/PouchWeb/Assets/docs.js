// Copy buttons, the filter of endpoints, and "Try it". Without it the pages are complete.
const make = (name, text, className) => {
  const element = document.createElement(name)
  element.textContent = text
  if (className) element.className = className
  return element
}

// A figure with code, as in the templates.
const figure = (caption, text) => {
  const element = make("figure", "", "docs-shell"), code = make("pre", text, "docs-code")
  code.tabIndex = 0
  element.append(make("figcaption", caption), code)
  addCopy(element)
  return element
}

const addCopy = element => {
  if (!navigator.clipboard) return
  const button = make("button", "Copy", "docs-copy")
  button.type = "button"
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(element.querySelector("pre").textContent)
      button.textContent = "Copied"
    } catch { button.textContent = "Not allowed" }
    setTimeout(() => button.textContent = "Copy", 2000)
  }
  element.querySelector("figcaption").append(button)
}
document.querySelectorAll(".docs-shell").forEach(addCopy)

// On a wide screen the contents have a column of their own.
document.querySelector(".docs-nav details").open = !matchMedia("(max-width: 56rem)").matches

const filter = document.getElementById("docs-filter")
if (filter) {
  filter.closest("p").hidden = false
  filter.oninput = () => {
    const words = filter.value.toLowerCase().split(/\s+/)
    let isFound = false
    for (const chapter of document.querySelectorAll(".docs-chapter")) {
      let any = false
      for (const item of chapter.querySelectorAll("li")) {
        const text = item.textContent.toLowerCase()
        item.hidden = !words.every(word => text.includes(word))
        any ||= !item.hidden
      }
      chapter.hidden = !any
      isFound ||= any
    }
    document.getElementById("docs-none").textContent = isFound ? "" : `No endpoint matches “${filter.value.trim()}”.`
  }
}

// The guest's token is kept while the page is open.
let guest
const guestToken = async () => {
  const response = await fetch("/v1/sessions/guest", { method: "POST" })
  if (!response.ok) throw new Error("No guest session: " + response.status)
  return (await response.json()).remoteSession.accessToken
}

const request = form => {
  let path = form.dataset.path
  const query = new URLSearchParams()
  for (const input of form.querySelectorAll("input")) {
    if (input.dataset.place == "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value) query.append(input.name, input.value)
  }
  return path + (query.size ? "?" + query : "")
}

const send = async form => {
  const path = request(form), headers = {}
  if ("guest" in form.dataset) {
    guest ||= guestToken()
    headers.Authorization = "Bearer " + await guest.catch(error => { guest = null; throw error })
  }
  const response = await fetch(path, { headers })
  if (response.status == 401) guest = null
  let text = await response.text()
  try { text = JSON.stringify(JSON.parse(text), null, 2) } catch {}
  if (text.length > 50000) text = text.slice(0, 50000) + "\n… " + (text.length - 50000) + " more characters"
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n")
  return [make("p", `GET ${path}: ${response.status} ${response.statusText}`, response.ok ? "small" : "error"),
    figure("Headers", head), figure("Body", text)]
}

for (const form of document.querySelectorAll(".docs-try")) {
  form.hidden = false
  form.onsubmit = async event => {
    event.preventDefault()
    const result = form.querySelector(".docs-result"), button = form.querySelector("button")
    button.disabled = true
    try { result.replaceChildren(...await send(form)) }
    catch (error) { result.replaceChildren(make("p", error.message, "error")) }
    button.disabled = false
  }
}
