// The documentation of the API: each page is generated from /openapi.json.
const h = (name, attributes = {}, ...children) => {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element[key] = value
    else if (value != null && value !== false) element.setAttribute(key, value === true ? "" : value)
  }
  element.append(...children.flat(9).filter(child => child != null && child !== false && child !== ""))
  return element
}
const link = (href, ...children) => h("a", { href }, ...children)
const code = text => h("code", {}, text)
const pretty = value => JSON.stringify(value, null, 2)

// A figure with code and a button that copies it.
const figure = (caption, label, text) => {
  const copy = navigator.clipboard && h("button", {
    class: "docs-copy", type: "button", onclick: async () => {
      try {
        await navigator.clipboard.writeText(text)
        copy.textContent = "Copied"
      } catch { copy.textContent = "Not allowed" }
      setTimeout(() => copy.textContent = "Copy", 2000)
    } }, "Copy")
  return h("figure", { class: "docs-shell" }, h("figcaption", {}, caption, copy),
    h("pre", { class: "docs-code", tabindex: 0, role: "group", "aria-label": label }, code(text)))
}
const table = (label, heads, rows) => h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": label },
  h("table", { class: "docs-table" },
    h("thead", {}, h("tr", {}, heads.map(head => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)))

// MARK: Schemas

let api
const schemaName = schema => schema?.$ref?.split("/").pop()
const schemaLink = name => link(`/docs/schemas/${encodeURIComponent(name)}`, name)

// The type in words, with the name of the schema that it links to.
const typeOf = schema => {
  const name = schemaName(schema)
  if (name) return { before: "", name, schema: name, after: "" }
  if (schema.anyOf) {
    const types = schema.anyOf.filter(type => type.type != "null")
    const type = typeOf(types[0] ?? {})
    return types.length < schema.anyOf.length ? { ...type, after: type.after + " or null" } : type
  }
  const types = [schema.type ?? []].flat(), after = types.includes("null") ? " or null" : ""
  const of = (word, inner) => ({ ...typeOf(inner), before: `${word} of ${typeOf(inner).before}` })
  if (types[0] == "array") return of("array", schema.items ?? {})
  if (types[0] == "object" && schema.additionalProperties?.constructor == Object) return of("map", schema.additionalProperties)
  const formats = { "date-time": "time", binary: "bytes" }
  return { before: "", name: formats[schema.format] ?? types[0] ?? ("const" in schema ? "constant" : "any JSON"), after }
}
const typeCell = schema => {
  const type = typeOf(schema)
  return h("td", {}, type.before, type.schema ? schemaLink(type.schema) : type.name, type.after)
}
const range = (least, most, unit) => {
  if (most >= Number.MAX_SAFE_INTEGER) most = undefined
  if (least == null && most == null) return null
  const text = least == null ? `at most ${most}` : most == null ? `at least ${least}` : least == most ? `${least}` : `${least} to ${most}`
  return text + unit
}
const boundsOf = schema => {
  const values = schema.enum ?? api.components.schemas[typeOf(schema).schema]?.enum
  const isFilled = schema.minLength == 1 && schema.maxLength == null
  return [
    values && "one of " + values.join(", "), "const" in schema && JSON.stringify(schema.const),
    range(schema.minimum, schema.maximum, ""), isFilled ? "not empty" : range(schema.minLength, schema.maxLength, " characters"),
    range(schema.minItems, schema.maxItems, " items"), schema.pattern == "\\S" && "not blank",
  ].filter(Boolean).join("; ")
}
const textCell = (text, schema) => h("td", {}, text && text + " ", h("span", { class: "docs-bounds" }, boundsOf(schema)),
  schema.pattern && schema.pattern != "\\S" && h("code", { class: "docs-bounds" }, " " + schema.pattern))

// A row for each field, the required ones first; the fields of a field follow it, down to three levels.
const rowsOf = (name, parent = "", outer = []) => {
  const { properties = {}, required = [] } = api.components.schemas[name] ?? {}
  const fields = Object.keys(properties).sort((one, other) =>
    required.includes(other) - required.includes(one) || (one < other ? -1 : 1))
  return fields.flatMap(field => {
    const schema = properties[field], type = typeOf(schema)
    const row = h("tr", { class: [null, "is-depth-1", "is-depth-2"][outer.length] },
      h("th", { scope: "row" }, h("code", {}, h("span", { class: "docs-parent" }, parent), field),
        required.includes(field) && [" ", h("span", { class: "docs-required" }, "required")]),
      typeCell(schema), textCell(schema.description, schema))
    const goesOn = outer.length < 2 && type.schema != name && !outer.includes(type.schema)
      && api.components.schemas[type.schema]?.properties
    return goesOn ? [row, ...rowsOf(type.schema, parent + field + (type.before ? ".*." : "."), [...outer, name])] : [row]
  })
}
const fieldsOf = (name, label) => table(label, ["Field", "Type", "Description"], rowsOf(name))

const exampleOf = schema => {
  const name = schemaName(schema)
  if (name) return exampleOf(api.components.schemas[name] ?? {})
  if (schema.anyOf) return exampleOf(schema.anyOf.find(type => type.type != "null") ?? {})
  return schema.examples?.[0] ?? schema.enum?.[0] ?? (schema.items ? [exampleOf(schema.items)] : {})
}

// MARK: Operations

const methods = ["get", "post", "put", "patch", "delete"]
const operations = () => Object.entries(api.paths).flatMap(([path, found]) => methods.filter(method => found[method])
  .map(method => ({ ...found[method], path, method: method.toUpperCase(), access: found[method]["x-access"] })))
const operationLink = operation => link(`/docs/${operation.tags[0]}#${operation.operationId}`, operation.operationId)
const methodBadge = operation =>
  h("span", { class: "docs-method" + ({ GET: " is-get", DELETE: " is-delete" }[operation.method] ?? "") }, operation.method)
const index = operations => h("ul", { class: "docs-index" }, operations.map(operation => h("li", {},
  link(`/docs/${operation.tags[0]}#${operation.operationId}`, methodBadge(operation), " ", code(operation.path)), " ",
  h("span", { class: "docs-summary" }, operation.summary))))
const problemsOf = operation => Object.entries(operation.responses).filter(([status]) => status >= "400")
  .map(([status, response]) => [status, response.content["application/problem+json"].schema.properties.code.enum])

const accessText = ({ access, security }) => ({
  anyone: "Open to everyone" + (security.length ? "; with a guest's token, the account takes over the guest's cart and orders" : ""),
  guestOrCustomer: "Guests and customers", customer: "Customers",
}[access] ?? `Staff, and API keys, with ${access}`)

const curl = operation => {
  const quoted = text => `'${text.replaceAll("'", `'\\''`)}'`
  const { parameters, requestBody } = operation, required = parameters.filter(({ required }) => required)
  const path = operation.path.replace(/{(\w+)}/g, (_, name) => required.find(one => one.name == name)?.example ?? name)
  const query = required.filter(one => one.in == "query").map(one => `${one.name}=${one.example ?? ""}`).join("&")
  const body = requestBody?.content["application/json"]
  return [
    `curl ${operation.method == "GET" ? "" : `-X ${operation.method} `}${quoted(location.origin + path + (query && "?" + query))}`,
    operation.access != "anyone" && `-H "Authorization: Bearer $TOKEN"`,
    required.some(one => one.name == "Idempotency-Key") && `-H 'Idempotency-Key: 7f1c2a34-51d0-4b7e-9a56-0c1d2e3f4a5b'`,
    requestBody && `-H 'Content-Type: ${body ? "application/json" : "application/octet-stream"}'`,
    requestBody && (body ? `-d ${quoted(pretty(exampleOf(body.schema)))}` : "--data-binary @file"),
    operation.responses[200]?.content?.["text/event-stream"] && "-N",
  ].filter(Boolean).join(" \\\n  ")
}

const parametersOf = ({ parameters, operationId }) => parameters.length > 0 && [h("h3", {}, "Parameters"),
  table(`Parameters of ${operationId}`, ["Name", "Type", "Description"], parameters.map(one => h("tr", {},
    h("th", { scope: "row" }, code(one.name), " ", h("span", { class: "docs-place" }, one.in),
      one.required && [" ", h("span", { class: "docs-required" }, "required")]),
    typeCell(one.schema), textCell(one.description, one.schema))))]

const bodyOf = ({ requestBody, operationId }) => {
  if (!requestBody) return null
  const name = schemaName(requestBody.content["application/json"]?.schema)
  return [h("h3", {}, "Body"),
    h("p", { class: "small" }, name && [schemaLink(name), ", "], code(Object.keys(requestBody.content).join(", ")),
      !requestBody.required && ", optional"),
    name && fieldsOf(name, `Body of ${operationId}`)]
}

const answersOf = operation => {
  const good = Object.entries(operation.responses).filter(([status]) => status < "400")
  const problems = problemsOf(operation), titles = api.components.examples
  return [h("h3", {}, "Responses"), h("dl", { class: "docs-responses" }, good.map(([status, response]) => {
    const content = response.content ?? {}, media = content["application/json"] ?? content["text/event-stream"]
    const schema = media?.schema["x-data"] ?? media?.schema
    const names = [schema?.anyOf ?? schema ?? []].flat().map(schemaName).filter(Boolean)
    const types = Object.keys(content).filter(type => type != "*/*").join(", ")
    return [h("dt", {}, status), h("dd", {}, names.map(name => [schemaLink(name), " "]), types && [code(types), " "],
      !["200", "201"].includes(status) && response.description + " ",
      h("span", { class: "docs-bounds" }, "headers: " + Object.keys(response.headers ?? {}).join(", ")))]
  })), h("details", { class: "docs-problems" },
    h("summary", {}, `${problems.reduce((sum, [, codes]) => sum + codes.length, 0)} errors`),
    h("dl", { class: "docs-responses" }, problems.map(([status, codes]) => [h("dt", {}, status),
      h("dd", {}, h("ul", {}, codes.map(name => h("li", {}, link(`/docs/errors#${name}`, code(name)), " ",
        titles[name].summary))))])))]
}

const responseExample = operation => {
  for (const [status, { content }] of Object.entries(operation.responses)) {
    if (!status.startsWith("2")) continue
    if (content?.["application/json"]) return pretty(exampleOf(content["application/json"].schema))
    const data = content?.["text/event-stream"]?.schema["x-data"]
    if (data) return "id: 3\ndata: " + JSON.stringify(exampleOf(data))
  }
}

const article = operation => {
  const { operationId, summary } = operation, response = responseExample(operation)
  return h("article", { class: "docs-endpoint", id: operationId },
    h("header", { class: "stack is-tight" }, h("h2", {}, link("#" + operationId, summary)),
      h("p", { class: "docs-path" }, methodBadge(operation), " ", code(operation.path)),
      h("p", { class: "measure" }, operation.description), h("p", { class: "small muted" }, accessText(operation))),
    h("div", { class: "docs-columns" },
      h("div", { class: "stack" }, parametersOf(operation), bodyOf(operation), answersOf(operation)),
      h("div", { class: "stack" }, h("h3", {}, "Request"), figure("curl", `${operationId} with curl`, curl(operation)),
        (operation["x-codeSamples"] ?? []).map(one => figure(one.label, `${operationId} in ${one.label}`, one.source)),
        response && [h("h3", {}, "Response"), figure("JSON", `Response of ${operationId}`, response)], trial(operation))))
}

// MARK: Try it

// The guest's token is kept while the page is open.
let guest
const guestToken = async () => {
  const response = await fetch("/v1/sessions/guest", { method: "POST" })
  if (!response.ok) throw new Error("No guest session: " + response.status)
  return (await response.json()).remoteSession.accessToken
}

const send = async (operation, inputs) => {
  let path = operation.path
  const query = new URLSearchParams(), headers = {}
  for (const input of inputs) {
    if (input.dataset.place == "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value) query.append(input.name, input.value)
  }
  if (query.size) path += "?" + query
  if (operation.access != "anyone") {
    guest ||= guestToken()
    headers.Authorization = "Bearer " + await guest.catch(error => { guest = null; throw error })
  }
  const response = await fetch(path, { headers })
  if (response.status == 401) guest = null
  let text = await response.text()
  try { text = pretty(JSON.parse(text)) } catch {}
  if (text.length > 50000) text = text.slice(0, 50000) + "\n… " + (text.length - 50000) + " more characters"
  const head = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n")
  return [h("p", { class: response.ok ? "small" : "error" }, `GET ${path}: ${response.status} ${response.statusText}`),
    figure("Headers", "Headers of the response", head), figure("Body", "Body of the response", text)]
}

// The form that tries an endpoint that reads JSON and needs no account.
const trial = operation => {
  const isOpen = operation.access == "anyone" || operation.access == "guestOrCustomer"
  if (operation.method != "GET" || !isOpen || !operation.responses[200]?.content?.["application/json"]) return null
  const inputs = operation.parameters.filter(one => one.in != "header" && !one.name.includes("*")).map(one => h("input", {
    id: `try-${operation.operationId}-${one.name}`, name: one.name, "data-place": one.in, placeholder: one.example,
    required: one.required, autocomplete: "off" }))
  const result = h("div", { class: "docs-result", role: "status" }), button = h("button", { class: "button is-small" }, "Send")
  return h("form", { class: "docs-try stack is-tight", onsubmit: async event => {
    event.preventDefault()
    button.disabled = true
    try { result.replaceChildren(...await send(operation, inputs)) }
    catch (error) { result.replaceChildren(h("p", { class: "error" }, error.message)) }
    button.disabled = false
  } }, h("h3", {}, "Try it"),
    inputs.map(input => h("div", { class: "docs-input" }, h("label", { for: input.id }, input.name), input)),
    h("p", {}, button, operation.access != "anyone"
      && h("span", { class: "small muted" }, " as a guest, whose session starts with the first request")), result)
}

// MARK: Pages

const title = (text, lead) => h("header", { class: "stack is-tight" }, h("h1", {}, text), lead && h("p", { class: "lead" }, lead))
const section = (id, text, ...children) =>
  h("section", { class: "stack", "aria-labelledby": id }, h("h2", { id }, text), ...children)

const tagPage = tag => {
  const own = operations().filter(operation => operation.tags[0] == tag.name), list = index(own)
  list.setAttribute("aria-label", "Endpoints on this page")
  return [tag["x-displayName"], [title(tag["x-displayName"], tag.description), list, own.map(article)]]
}

const errorsPage = () => {
  const announcing = {}
  for (const operation of operations()) {
    for (const name of problemsOf(operation).flatMap(([, codes]) => codes)) (announcing[name] ??= []).push(operation)
  }
  const all = Object.entries(api.components.examples).sort(([one, a], [other, b]) =>
    a.value.status - b.value.status || (one < other ? -1 : 1))
  return ["Errors", [title("Errors", ["Every error is a ", schemaLink("ProblemDetails"), " in ",
    code("application/problem+json"), ". Programs should use ", code("code"), ": the texts are for people and may change."]),
    h("p", { class: "measure" }, "Clients must accept unknown codes, and then use the status. ",
      code("Should-Retry: true"), " means that the same request, with the same key, can succeed later."),
    figure("JSON", "Example of an error", pretty(api.components.examples.validation_failed.value)),
    table("Error codes", ["Code", "Status", "Meaning", "Endpoints"], all.map(([name, example]) => {
      const found = announcing[name] ?? []
      return h("tr", { id: name }, h("th", { scope: "row" }, code(name)), h("td", {}, `${example.value.status}`),
        h("td", {}, example.summary + ".", example.description && [" ", h("span", { class: "muted" }, example.description)],
          example["x-should-retry"] && [" ", h("span", { class: "badge is-good" }, "retryable")]),
        h("td", {}, found.length > 12 ? `${found.length} endpoints` : found.map(one => [operationLink(one), " "])))
    }))]]
}

const webhooksPage = () => {
  const types = Object.entries(api.webhooks), first = types[0][1].post
  const terms = pairs => h("dl", { class: "docs-terms" }, pairs.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)]))
  return ["Webhook requests", [title("Webhook requests", ["The shop sends a ", code("POST"), " with ",
    link("/docs/schemas/ShopEvent", "an event"), " to each address that ", link("/docs/admin-events#addWebhook", "is registered"),
    " for its type."]),
    section("types", "Event types", table("Event types", ["Type", "Field of data"], types.map(([name, { post }]) => {
      const { properties } = post.requestBody.content["application/json"].schema.allOf.at(-1)
      return h("tr", { id: name }, h("th", { scope: "row" }, code(name)), h("td", {}, code(properties.data.required?.[0] ?? "")))
    }))),
    section("headers", "Headers", terms(first.parameters.map(one => [code(one.name), one.description]))),
    section("response", "Your response", terms(Object.entries(first.responses).map(([status, one]) => [status, one.description]))),
    section("example", "Example", figure("JSON", "Example of a request", pretty(exampleOf(api.components.schemas.ShopEvent))))]]
}

const schemasPage = () => ["Schemas", [title("Schemas", "The JSON of requests and responses, by name."),
  h("ul", { class: "docs-schemas" }, Object.entries(api.components.schemas).sort().map(([name, schema]) => h("li", {},
    schemaLink(name), schema.enum && [" ", h("span", { class: "docs-place" }, "enum")])))]]

const usesOf = name => {
  const names = part => JSON.stringify(part ?? {}).includes(`"#/components/schemas/${name}"`)
  const uses = operations().flatMap(operation => {
    const found = [["Request", operation.requestBody], ["Response", Object.entries(operation.responses)
      .filter(([status]) => status < "400").map(([, response]) => response.content)]]
    return found.filter(([, part]) => names(part)).map(([kind]) =>
      link(`/docs/${operation.tags[0]}#${operation.operationId}`, `${kind} of ${operation.method} ${operation.path}`))
  })
  const schemas = Object.keys(api.components.schemas).sort().filter(other => names(api.components.schemas[other].properties))
  return [...uses, names(api.webhooks) && link("/docs/webhook-requests", "Webhook requests"), ...schemas.map(schemaLink),
    name == "ProblemDetails" && link("/docs/errors", "All errors")].filter(Boolean)
}

const schemaPage = name => {
  const schema = api.components.schemas[name], uses = usesOf(name)
  return [name, [h("header", { class: "stack is-tight" },
    h("nav", { "aria-label": "Breadcrumb" }, h("ol", { class: "breadcrumb" },
      h("li", {}, link("/docs", "API")), h("li", {}, link("/docs/schemas", "Schemas")))), h("h1", {}, name),
    schema.additionalProperties === false
      && h("p", { class: "muted" }, "Sent in requests. A request with other fields is refused.")),
    schema.enum
      ? section("values", "Values", h("p", { class: "muted" },
          "Later versions may add values. Clients must accept unknown values."),
        h("ul", { class: "docs-values" }, schema.enum.map(value => h("li", {}, code(value)))))
      : [schema.properties && section("fields", "Fields", fieldsOf(name, `Fields of ${name}`)),
        section("example", "Example", figure("JSON", `Example of ${name}`, pretty(exampleOf(schema))))],
    uses.length > 0 && section("uses", "Used by", h("ul", { class: "docs-uses" }, uses.map(use => h("li", {}, use))))]]
}

// The chapters at the end of the first page, with the filter of endpoints.
const addEndpoints = main => {
  const filter = document.getElementById("docs-filter"), none = document.getElementById("docs-none")
  const chapters = api.tags.map(tag => h("section", { class: "docs-chapter stack is-tight" },
    h("h3", {}, link(`/docs/${tag.name}`, tag["x-displayName"])), h("p", { class: "muted" }, tag.description),
    index(operations().filter(operation => operation.tags[0] == tag.name))))
  main.querySelector("section:last-of-type").append(...chapters)
  filter.closest("p").hidden = false
  filter.oninput = () => {
    const words = filter.value.toLowerCase().split(/\s+/)
    for (const chapter of chapters) {
      const items = [...chapter.querySelectorAll("li")]
      for (const item of items) item.hidden = !words.every(word => item.textContent.toLowerCase().includes(word))
      chapter.hidden = items.every(item => item.hidden)
    }
    none.textContent = chapters.every(chapter => chapter.hidden) ? `No endpoint matches “${filter.value.trim()}”.` : ""
  }
}

const addContents = () => {
  const details = document.querySelector(".docs-nav details")
  const group = (heading, links) => [h("h2", {}, heading), h("ul", { class: "docs-links" }, links.map(([href, text]) =>
    h("li", {}, h("a", { href, "aria-current": href == location.pathname && "page" }, text))))]
  const byName = Object.fromEntries(api.tags.map(tag => [tag.name, tag["x-displayName"]]))
  details.append(...api["x-tagGroups"].flatMap(({ name, tags }) => group(name, tags.map(tag => [`/docs/${tag}`, byName[tag]]))),
    ...group("Reference", [["/docs#endpoints", "All endpoints"], ["/docs/schemas", "Schemas"], ["/docs/errors", "Errors"],
      ["/docs/webhook-requests", "Webhook requests"]]))
  // On a wide screen the contents have a column of their own.
  details.open = !matchMedia("(max-width: 56rem)").matches
}

const pageOf = ([, , page, name]) => {
  const tag = api.tags.find(tag => tag.name == page)
  if (tag) return tagPage(tag)
  if (name) return schemaPage(name)
  return { schemas: schemasPage, errors: errorsPage, "webhook-requests": webhooksPage }[page]()
}

const show = async () => {
  const main = document.getElementById("docs-main"), steps = location.pathname.replace(/\/$/, "").split("/")
  try {
    const response = await fetch("/openapi.json")
    if (!response.ok) throw new Error(response.status)
    api = await response.json()
    addContents()
    if (steps.length < 3) addEndpoints(main)
    else {
      const [text, content] = pageOf(steps.map(decodeURIComponent))
      document.title = `${text} · Pouch API`
      main.replaceChildren(...content.flat(9).filter(Boolean))
    }
    // The browser looked for the element before it was there.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  } catch { main.append(h("p", { class: "notice is-bad", role: "alert" }, "The description of the API could not be read. Try again in a moment.")) }
  main.removeAttribute("aria-busy")
}
show()
