import PouchJSON

/// The values of schemas: their types, bounds and fields.
extension APIDocument {
    /// A use of a schema, for its page.
    struct SchemaUse: Sendable, Hashable {
        let text: String
        let href: String
    }

    var schemaList: DocsPage {
        page(
            "/docs/schemas", "docs-schemas", "Schemas",
            [
                "schemas": .items(
                    schemas.keys.sorted().map { name in
                        [
                            "name": .text(name), "href": .text("/docs/schemas/\(name)"),
                            "isEnum": .flag(schemas[name]?["enum"] != nil),
                        ]
                    })
            ])
    }

    func schemaPage(_ name: String, _ uses: [SchemaUse]) -> DocsPage {
        let schema = schemas[name] ?? [:]
        let text = schema["description"]?.string ?? ""
        let values = schema["enum"]?.array?.compactMap(\.string) ?? []
        let isRequest = schema["additionalProperties"] == false
        let fields = (schema["properties"]?.object ?? [:]).isEmpty ? [] : rows(of: name, within: "", around: nil)
        return page(
            "/docs/schemas/\(name)", "docs-schema", name,
            [
                "text": .text(text), "hasText": .flag(!text.isEmpty),
                "isEnum": .flag(!values.isEmpty), "values": .list(values.map(DocsValue.text)),
                "isObject": .flag(values.isEmpty), "isRequest": .flag(isRequest),
                "fields": .items(fields), "hasFields": .flag(!fields.isEmpty),
                "tableName": .text("Fields of \(name)"),
                "uses": .items(uses.map { ["text": .text($0.text), "href": .text($0.href)] }),
                "hasUses": .flag(!uses.isEmpty),
                "example": .text(PrettyJSON.text(example(of: name, around: []))),
            ])
    }

    /// The endpoints and schemas that name each schema.
    func schemaUses() -> [String: [SchemaUse]] {
        var uses: [String: [SchemaUse]] = [:]
        func note(_ json: JSON?, _ use: SchemaUse) {
            for name in Self.names(within: json).sorted() where uses[name]?.contains(use) != true {
                uses[name, default: []].append(use)
            }
        }
        for operation in operations {
            let title = "\(operation.method) \(operation.path)"
            note(operation.json["requestBody"], SchemaUse(text: "Request of \(title)", href: operation.href))
            for (status, response) in operation.json["responses"]?.object ?? [:] where status < "400" {
                note(response["content"], SchemaUse(text: "Response of \(title)", href: operation.href))
            }
        }
        note(document["webhooks"], SchemaUse(text: "Webhook requests", href: "/docs/webhook-requests"))
        for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
            note(schema["properties"], SchemaUse(text: name, href: "/docs/schemas/\(name)"))
        }
        uses["ProblemDetails", default: []].append(SchemaUse(text: "All errors", href: "/docs/errors"))
        return uses
    }

    private static func names(within json: JSON?) -> Set<String> {
        switch json {
        case .object(let members):
            if let name = name(referredBy: json) { return [name] }
            return members.values.reduce(into: []) { $0.formUnion(names(within: $1)) }
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(names(within: $1)) }
        default: return []
        }
    }

    // MARK: Fields

    /// A row for each field of the schema, the required ones first.
    ///
    /// - Parameters:
    ///   - parent: the path of the object, with a dot at its end; empty for the whole body.
    ///   - outer: the schemas around this one, whose rows contain these; nil to leave out the fields of fields.
    func rows(of name: String, within parent: String, around outer: [String]?) -> [[String: DocsValue]] {
        let schema = schemas[name] ?? [:]
        let required = Set(schema["required"]?.array?.compactMap(\.string) ?? [])
        let fields = (schema["properties"]?.object ?? [:]).sorted { one, other in
            (required.contains(one.key) ? 0 : 1, one.key) < (required.contains(other.key) ? 0 : 1, other.key)
        }
        return fields.flatMap { field, property -> [[String: DocsValue]] in
            let text = property["description"]?.string ?? FieldTexts.text(field, of: name)
            let row: [String: DocsValue] = [
                "name": .text(field), "parent": .text(parent), "isRequired": .flag(required.contains(field)),
                "depth": .text("is-depth-\(outer?.count ?? 0)"), "text": .text(text), "hasText": .flag(!text.isEmpty),
            ]
            let rows = [row.merging(typeValues(property)) { own, _ in own }]
            let type = FieldType(property)
            guard let outer, outer.count < 3, let inner = type.schema, inner != name, !outer.contains(inner),
                schemas[inner]?["properties"] != nil
            else { return rows }
            let path = parent + field + (type.before.isEmpty ? "." : ".*.")
            return rows + self.rows(of: inner, within: path, around: outer + [name])
        }
    }

    /// The type and the bounds of a field or a parameter.
    func typeValues(_ schema: JSON) -> [String: DocsValue] {
        let type = FieldType(schema)
        var bounds = FieldType.bounds(of: schema)
        if let values = type.schema.flatMap({ schemas[$0]?["enum"]?.array }) {
            bounds.append("one of " + values.compactMap(\.string).joined(separator: ", "))
        }
        let pattern = schema["pattern"]?.string
        let isShown = pattern != nil && pattern != #"\S"#
        if pattern == #"\S"# { bounds.append("not blank") }
        return [
            "typeBefore": .text(type.before), "type": .text(type.name), "typeAfter": .text(type.after),
            "typeHref": .text("/docs/schemas/\(type.schema ?? "")"), "hasTypeHref": .flag(type.schema != nil),
            "bounds": .text(bounds.joined(separator: "; ")), "hasBounds": .flag(!bounds.isEmpty),
            "pattern": .text(pattern ?? ""), "hasPattern": .flag(isShown),
        ]
    }

    // MARK: Examples

    /// An example of the schema, made of the examples in the document and in `FieldTexts`.
    ///
    /// - Parameter outer: the schemas that contain this one.
    func example(of name: String, around outer: [String]) -> JSON {
        let schema = schemas[name] ?? [:]
        if let value = schema["enum"]?.array?.first { return value }
        let given = schema["examples"]?.array?.first
        let leftOut = FieldTexts.leftOut[name] ?? []
        var members: [String: JSON] = [:]
        for (field, property) in schema["properties"]?.object ?? [:] where !leftOut.contains(field) {
            members[field] =
                FieldTexts.example(field, of: name)
                ?? example(of: property, around: outer + [name], instead: given?[field])
        }
        return .object(members)
    }

    /// - Parameter given: the example of a schema without a name.
    /// - Returns: nil without an example.
    func example(of schema: JSON, around outer: [String], instead given: JSON?) -> JSON? {
        if let name = Self.name(referredBy: schema) {
            return outer.contains(name) ? given : example(of: name, around: outer)
        }
        if let first = schema["anyOf"]?.array?.first(where: { $0["type"] != "null" }) {
            return example(of: first, around: outer, instead: given)
        }
        if let items = schema["items"], Self.name(referredBy: items) != nil {
            return example(of: items, around: outer, instead: given?.array?.first).map { [$0] }
        }
        return given == .null ? nil : given
    }
}
