import PouchContract
import PouchJSON
import PouchWire

/// The OpenAPI document as pages for people, with the calls of the Swift SDK.
///
///     let document = try APIDocument(server: "https://shop.example.com")
///     let theme = try WebTheme()
///     let html = document.pages.first { $0.path == "/docs/cart" }?.html(with: theme)
///
/// The pages depend on nothing but the document and the address, so they can be rendered once.
public struct APIDocument: Sendable {
    /// An endpoint with its description.
    struct Operation: Sendable {
        let id: String
        let method: String
        let path: String
        let chapter: Chapter
        let json: JSON

        /// The address of its description.
        var href: String { "/docs/\(chapter.id)#\(id)" }
    }

    let document: JSON
    /// The address of the shop, without a slash at the end; examples call it.
    let server: String
    let schemas: [String: JSON]
    /// In the order of the pages.
    let operations: [Operation]
    let chapters: [Chapter]

    /// The document of this server's contract.
    ///
    /// - Throws: if a type of the contract cannot be described.
    public init(server: String) throws {
        self.init(try OpenAPI.document(), order: Endpoint.all.map(\.name), server: server)
    }

    /// - Parameter order: the names of endpoints in the order in which they are shown; others follow by name.
    public init(_ document: JSON, order: [String], server: String) {
        self.document = document
        self.server = server
        schemas = document["components"]?["schemas"]?.object ?? [:]
        let places = Dictionary(order.enumerated().map { ($1, $0) }) { first, _ in first }
        let found = (document["paths"]?.object ?? [:]).flatMap { path, methods -> [Operation] in
            (methods.object ?? [:]).map { method, json in
                let tag = json["tags"]?.array?.first?.string ?? "other"
                return Operation(
                    id: json["operationId"]?.string ?? "", method: method.uppercased(), path: path,
                    chapter: Chapter.of(path: path, tag: tag), json: json)
            }
        }
        operations = found.sorted { one, other in
            (places[one.id] ?? .max, one.id) < (places[other.id] ?? .max, other.id)
        }
        let used = Set(operations.map(\.chapter.id))
        let others = operations.map(\.chapter).reduce(into: [Chapter]()) { others, chapter in
            if !(Chapter.all + others).contains(where: { $0.id == chapter.id }) { others.append(chapter) }
        }
        chapters = Chapter.all.filter { used.contains($0.id) } + others
    }

    // MARK: The pages

    /// The overview first.
    public var pages: [DocsPage] {
        let uses = schemaUses()
        var pages = [overview]
        pages += chapters.map { page(of: $0) }
        pages += [schemaList, errors, webhooks]
        pages += schemas.keys.sorted().map { schemaPage($0, uses[$0] ?? []) }
        return pages
    }

    /// - Parameter content: the values besides those of the frame.
    func page(_ path: String, _ template: String, _ title: String, _ content: PageValues) -> DocsPage {
        func link(_ title: String, _ href: String) -> PageValues {
            ["title": title, "href": href, "isCurrent": href == path]
        }
        func links(isForStaff: Bool) -> [PageValues] {
            chapters.filter { $0.isForStaff == isForStaff }.map { link($0.title, "/docs/\($0.id)") }
        }
        let frame: PageValues = [
            "title": title, "isOverview": path == "/docs", "server": server,
            "version": document["info"]?["version"]?.string ?? "",
            "shopLinks": links(isForStaff: false), "staffLinks": links(isForStaff: true),
            "moreLinks": [
                link("Schemas", "/docs/schemas"), link("Errors", "/docs/errors"),
                link("Webhook requests", "/docs/webhook-requests"),
            ] as [PageValues],
        ]
        return DocsPage(
            path: path, template: template, title: title, values: frame.merging(content) { _, own in own })
    }

    private var overview: DocsPage {
        page(
            "/docs", "docs", "Overview",
            [
                "endpointCount": operations.count,
                "pageSize": "\(Limits.pageSize.upperBound)",
                "defaultPageSize": "\(Limits.defaultPageSize)",
                "keyLength": "\(Limits.idempotencyKeyLength.upperBound)",
                "chapters": chapters.map { chapter -> PageValues in
                    [
                        "title": chapter.title, "href": "/docs/\(chapter.id)",
                        "text": chapter.text, "hasText": !chapter.text.isEmpty,
                        "endpoints": operations.filter { $0.chapter.id == chapter.id }.map(entry),
                    ]
                },
            ])
    }

    private func page(of chapter: Chapter) -> DocsPage {
        let own = operations.filter { $0.chapter.id == chapter.id }
        return page(
            "/docs/\(chapter.id)", "docs-tag", chapter.title,
            [
                "text": chapter.text, "hasText": !chapter.text.isEmpty,
                "entries": own.map(entry),
                "endpoints": own.map(values),
            ])
    }

    /// An endpoint in a list of links.
    func entry(_ operation: Operation) -> PageValues {
        [
            "id": operation.id, "href": operation.href, "anchor": "#\(operation.id)",
            "method": operation.method, "methodClass": "is-\(operation.method.lowercased())",
            "path": operation.path, "summary": operation.json["summary"]?.string ?? operation.id,
        ]
    }

    private var errors: DocsPage {
        var announcing: [String: [Operation]] = [:]
        for operation in operations {
            for code in problems(of: operation).flatMap({ $0.codes }) {
                announcing[code, default: []].append(operation)
            }
        }
        let examples = document["components"]?["examples"]?.object ?? [:]
        let listed = examples.map { code, example in
            (code: code, status: Self.integer(example["value"]?["status"]) ?? 0, example: example)
        }.sorted { ($0.status, $0.code) < ($1.status, $1.code) }
        let items = listed.map { code, status, example -> PageValues in
            let operations = announcing[code] ?? []
            let isListed = operations.count <= 12
            let advice = ProblemAdvice.byCode[code] ?? ""
            let endpoints = isListed ? operations.map(entry) : []
            return [
                "code": code, "status": "\(status)",
                "title": example["summary"]?.string ?? "",
                "advice": advice, "hasAdvice": !advice.isEmpty,
                "isRetried": ProblemCode(rawValue: code).shouldRetry,
                "endpoints": endpoints, "isListed": isListed && !operations.isEmpty,
                "isCommon": !isListed, "count": operations.count,
            ]
        }
        let example = (examples["validation_failed"]?["value"]).map(PrettyJSON.text) ?? ""
        return page("/docs/errors", "docs-errors", "Errors", ["problems": items, "example": example])
    }

    private var webhooks: DocsPage {
        let described = (document["webhooks"]?.object ?? [:]).sorted { $0.key < $1.key }
        let first = described.first?.value["post"]
        let responses = (first?["responses"]?.object ?? [:]).sorted { $0.key < $1.key }
        return page(
            "/docs/webhook-requests", "docs-webhooks", "Webhook requests",
            [
                "types": described.map { name, methods -> PageValues in
                    let schema = methods["post"]?["requestBody"]?["content"]?["application/json"]?["schema"]
                    let data = schema?["allOf"]?.array?.last?["properties"]?["data"]
                    return [
                        "name": name, "field": data?["required"]?.array?.first?.string ?? "",
                        "summary": methods["post"]?["summary"]?.string ?? "",
                    ]
                },
                "headers": (first?["parameters"]?.array ?? []).map { parameter($0, of: nil) },
                "responses": responses.map { status, response -> PageValues in
                    ["status": status, "text": response["description"]?.string ?? ""]
                },
                "example": PrettyJSON.text(example(of: "ShopEvent", around: [])),
            ])
    }

    // MARK: Reading the document

    static func integer(_ json: JSON?) -> Int? {
        guard case .integer(let value)? = json else { return nil }
        return Int(exactly: value)
    }

    /// The schema's name if the schema is a reference to one.
    static func name(referredBy schema: JSON?) -> String? {
        guard let reference = schema?["$ref"]?.string, reference.hasPrefix(schemaPrefix) else { return nil }
        return String(reference.dropFirst(schemaPrefix.count))
    }

    private static let schemaPrefix = "#/components/schemas/"
}
