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
                "schemas": schemas.keys.sorted().map { name -> PageValues in
                    ["name": name, "href": "/docs/schemas/\(name)", "isEnum": schemas[name]?["enum"] != nil]
                }
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
                "text": text, "hasText": !text.isEmpty,
                "isEnum": !values.isEmpty, "values": values,
                "isObject": values.isEmpty, "isRequest": isRequest,
                "fields": fields, "hasFields": !fields.isEmpty,
                "tableName": "Fields of \(name)",
                "uses": uses.map { ["text": $0.text, "href": $0.href] as PageValues },
                "hasUses": !uses.isEmpty,
                "example": PrettyJSON.text(example(of: name, around: [])),
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
    func rows(of name: String, within parent: String, around outer: [String]?) -> [PageValues] {
        let schema = schemas[name] ?? [:]
        let required = Set(schema["required"]?.array?.compactMap(\.string) ?? [])
        let fields = (schema["properties"]?.object ?? [:]).sorted { one, other in
            (required.contains(one.key) ? 0 : 1, one.key) < (required.contains(other.key) ? 0 : 1, other.key)
        }
        return fields.flatMap { field, property -> [PageValues] in
            let text = property["description"]?.string ?? FieldTexts.text(field, of: name)
            let row: PageValues = [
                "name": field, "parent": parent, "isRequired": required.contains(field),
                "depth": "is-depth-\(outer?.count ?? 0)", "text": text, "hasText": !text.isEmpty,
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
    func typeValues(_ schema: JSON) -> PageValues {
        let type = FieldType(schema)
        var bounds = FieldType.bounds(of: schema)
        if let values = type.schema.flatMap({ schemas[$0]?["enum"]?.array }) {
            bounds.append("one of " + values.compactMap(\.string).joined(separator: ", "))
        }
        let pattern = schema["pattern"]?.string
        let isShown = pattern != nil && pattern != #"\S"#
        if pattern == #"\S"# { bounds.append("not blank") }
        return [
            "typeBefore": type.before, "type": type.name, "typeAfter": type.after,
            "typeHref": "/docs/schemas/\(type.schema ?? "")", "hasTypeHref": type.schema != nil,
            "bounds": bounds.joined(separator: "; "), "hasBounds": !bounds.isEmpty,
            "pattern": pattern ?? "", "hasPattern": isShown,
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
