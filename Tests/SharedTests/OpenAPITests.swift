import Foundation
import PouchContract
import PouchJSON
import PouchOpenAPI
import PouchWire
import Testing

@Suite("The OpenAPI document")
struct OpenAPITests {
    /// Decoded once, since the document is large and Swift Testing traces every error that decoding throws.
    private static let document = Result { try JSON(json: OpenAPI.bytes()) }

    private let document: JSON

    init() throws { document = try Self.document.get() }

    @Test func `Every endpoint of the contract is described once, with its status and its access token`() throws {
        for exchange in Contract.all {
            let endpoint = exchange.endpoint
            let operation = try #require(described(endpoint), "\(endpoint.name)")
            #expect(operation["operationId"]?.string == endpoint.name)
            #expect(operation["responses"]?[String(exchange.status)] != nil)
            #expect(
                (operation["security"] == [["accessToken": []], ["accessTokenField": []]])
                    == (endpoint.access != .anyone))
        }
        let ids = try operations().compactMap { $0["operationId"]?.string }
        #expect(try operations().count == Contract.all.count && Set(ids).count == Contract.all.count)
    }

    @Test func `Every operation says what it does, and those of the SDK have its call`() throws {
        let byHand: Set = ["healthLive", "openAPI", "refreshSession"]
        for operation in try operations() {
            let name = try #require(operation["operationId"]?.string)
            #expect(operation["description"]?.string?.hasSuffix(".") == true, "\(name)")
            #expect((operation["x-codeSamples"] == nil) == byHand.contains(name), "\(name)")
            for parameter in operation["parameters"]?.array ?? [] {
                #expect(parameter["description"]?.string?.isEmpty == false, "\(name) \(parameter)")
            }
        }
    }

    @Test func `Every operation has one tag, which belongs to one group`() throws {
        let tags = try #require(document["tags"]?.array).compactMap { $0["name"]?.string }
        let grouped = try #require(document["x-tagGroups"]?.array).flatMap { $0["tags"]?.array ?? [] }
        #expect(grouped.compactMap(\.string).sorted() == tags.sorted() && Set(tags).count == tags.count)
        let used = try operations().map { $0["tags"]?.array?.compactMap(\.string) ?? [] }
        #expect(used.allSatisfy { $0.count == 1 } && Set(used.joined()) == Set(tags))
    }

    @Test func `The server accepts the example of each body`() throws {
        for exchange in Contract.all {
            guard let type = exchange.bodyType as? any JSONCodable.Type else { continue }
            let name = exchange.endpoint.name
            let body = described(exchange.endpoint)?["requestBody"]?["content"]?["application/json"]?["schema"]
            let reference = try #require(body?["$ref"], "\(name)")
            let schema = try #require(SchemaChecker(document: document).resolve(reference), "\(name)")
            let example = try #require(schema["examples"]?.array?.first, "\(name)")
            #expect(throws: Never.self, "\(name)") { _ = try type.init(json: try example.json(), .request) }
        }
    }

    @Test func `Every operation declares exactly the parameters of its path`() throws {
        for (path, methods) in try #require(document["paths"]?.object) {
            let named = Set(path.matches(of: /\{([^}]*)\}/).map { String($0.output.1) })
            for operation in (methods.object ?? [:]).values {
                let parameters = (operation["parameters"]?.array ?? []).filter { $0["in"] == "path" }
                #expect(Set(parameters.compactMap { $0["name"]?.string }) == named, "\(path)")
                #expect(parameters.allSatisfy { $0["required"] == true })
            }
        }
    }

    @Test func `Every reference resolves, and every schema is used`() throws {
        let checker = SchemaChecker(document: document)
        var used: Set<String> = []
        for reference in members(named: "$ref", in: document) {
            #expect(checker.resolve(reference) != nil, "\(reference)")
            if let text = reference.string { used.insert(text) }
        }
        for name in try #require(document["components"]?["schemas"]?.object).keys {
            #expect(used.contains("#/components/schemas/\(name)"), "\(name)")
        }
    }

    @Test func `Every code of the table has an example and an endpoint that announces it`() throws {
        let announced = Contract.all.reduce(into: Set<ProblemCode>()) { $0.formUnion($1.problemCodes) }
        // No operation announces method_not_allowed, since it has its method.
        #expect(announced.union([.methodNotAllowed]) == Set(ProblemCode.all))
        for code in ProblemCode.all { #expect(document["components"]?["examples"]?[code.rawValue] != nil, "\(code)") }
    }

    @Test func `Each operation's responses have exactly the codes that its exchange announces`() throws {
        for exchange in Contract.all {
            let responses = try #require(described(exchange.endpoint)?["responses"]?.object)
            let codes = responses.values.flatMap { response in
                response["content"]?[Problem.mediaType]?["examples"]?.object?.keys.map { $0 } ?? []
            }
            #expect(Set(codes) == Set(exchange.problemCodes.map(\.rawValue)), "\(exchange.endpoint.name)")
        }
    }

    @Test func `Every example matches its schema`() throws {
        var checker = SchemaChecker(document: document)
        checker.isClosed = true
        for (name, schema) in try #require(document["components"]?["schemas"]?.object) {
            for example in schema["examples"]?.array ?? [] {
                #expect(checker.problems(example, schema, at: name) == [])
            }
        }
        let problem: JSON = ["$ref": "#/components/schemas/ProblemDetails"]
        for (name, example) in try #require(document["components"]?["examples"]?.object) {
            #expect(checker.problems(try #require(example["value"]), problem, at: name) == [])
        }
    }

    @Test(arguments: WireShape.answers + WireShape.requests)
    func `Every fixture matches the schema of its type`(shape: WireShape) throws {
        var checker = SchemaChecker(document: document)
        checker.isClosed = true
        // A problem without additional members has the same schema.
        let name = shape.type is Problem.Type ? "ProblemDetails" : SchemaName.name(of: shape.type)
        let schema: JSON = ["$ref": .string("#/components/schemas/\(name)")]
        #expect(checker.problems(try shape.document, schema) == [])
    }

    @Test(arguments: WireShape.requests)
    func `The schema of a request agrees with reading it about its fields`(shape: WireShape) throws {
        let name = SchemaName.name(of: shape.type)
        let schema = try #require(document["components"]?["schemas"]?[name])
        #expect(schema["additionalProperties"] == false)
        for key in try #require(schema["properties"]?.object).keys {
            let isRequired = schema["required"]?.array?.contains(.string(key)) == true
            let without = try shape.document.with(nil, at: [key])
            #expect(((try? shape.rewritten(without)) == nil) == isRequired, "\(key)")
            let isNullable =
                schema["properties"]?[key].map { SchemaChecker(document: document).problems(.null, $0).isEmpty } == true
            let null = try shape.document.with(.null, at: [key])
            #expect(((try? shape.rewritten(null)) != nil) == isNullable, "\(key)")
        }
    }

    @Test func `Every described field exists in its type`() throws {
        for exchange in Contract.all {
            for case let type as any FieldsDescribed.Type in [exchange.bodyType, exchange.answerType] {
                let schema = document["components"]?["schemas"]?[SchemaName.name(of: type)]
                let fields = try #require(schema?["properties"]?.object)
                #expect(Set(type.fieldFacts.keys).isSubset(of: fields.keys), "\(type)")
            }
        }
    }

    @Test func `buyNow responds with the first version and accepts no If-Match`() throws {
        let (buyNow, checkout) = (try headers(Contract.buyNow), try headers(Contract.checkout))
        #expect(!buyNow.request.contains(HeaderName.ifMatch) && buyNow.answer.contains(HeaderName.etag))
        #expect(checkout.request.contains(HeaderName.ifMatch) && checkout.answer.contains(HeaderName.etag))
        #expect(!Contract.buyNow.problemCodes.contains(.versionConflict))
        #expect(!Contract.cancelOrder.problemCodes.contains(.paymentProviderError))
    }

    @Test func `A refund accepts If-Match for its order, and responds without an ETag`() throws {
        let refund = try headers(Contract.refundOrder)
        #expect(refund.request.contains(HeaderName.ifMatch) && !refund.answer.contains(HeaderName.etag))
        #expect(Contract.refundOrder.problemCodes.contains(.versionConflict))
    }

    private func headers(_ exchange: any AnyExchange) throws -> (request: [String], answer: [String]) {
        let operation = try #require(described(exchange.endpoint))
        let parameters = (operation["parameters"]?.array ?? []).filter { $0["in"] == "header" }
        let answer = operation["responses"]?[String(exchange.status)]?["headers"]?.object
        return (parameters.compactMap { $0["name"]?.string }, (answer ?? [:]).keys.map { $0 })
    }

    @Test func `The bytes are the same every time`() throws {
        #expect(try OpenAPI.document().json() == OpenAPI.bytes())
    }

    @Test func `The described query parameters are those that the server reads`() throws {
        let all = try #require(described(Contract.products.endpoint)?["parameters"]?.array)
        let parameters = all.filter { $0["in"] == "query" }
        #expect(
            parameters.compactMap { $0["name"]?.string } == [
                "season", "theme", "category", "tag", "option.*", "minPrice", "maxPrice", "currency", "inStock", "q",
                "sort", "facets", "limit", "cursor",
            ])
        #expect(parameters.first { $0["name"] == "limit" }?["schema"]?["maximum"] == 200)
    }

    private func described(_ endpoint: Endpoint) -> JSON? {
        let path = endpoint.template.description.replacing("...}", with: "}")
        return document["paths"]?[path]?[endpoint.method.rawValue.lowercased()]
    }

    private func operations() throws -> [JSON] {
        try #require(document["paths"]?.object).values.flatMap { Array(($0.object ?? [:]).values) }
    }

    private func members(named name: String, in value: JSON) -> [JSON] {
        switch value {
        case .array(let elements): elements.flatMap { members(named: name, in: $0) }
        case .object(let object):
            object.flatMap { key, member in (key == name ? [member] : []) + members(named: name, in: member) }
        default: []
        }
    }
}

/// Checks values against JSON schemas, with the keywords that the document uses.
struct SchemaChecker {
    let document: JSON
    /// Whether objects may only have the members that their schema names, as with `additionalProperties: false`.
    var isClosed = false

    /// The errors of the value, each with its path. An unknown keyword is an error too.
    func problems(_ value: JSON, _ schema: JSON, at path: String = "$") -> [String] {
        var problems: [String] = []
        for (keyword, argument) in schema.object ?? [:] { problems += check(keyword, argument, value, schema, path) }
        return problems
    }

    private func check(_ keyword: String, _ argument: JSON, _ value: JSON, _ schema: JSON, _ path: String) -> [String] {
        func unless(_ condition: Bool) -> [String] {
            condition ? [] : ["\(path): \(keyword) \(argument), not \(value)"]
        }
        switch keyword {
        case "examples", "description": return []
        case "$ref":
            guard let target = resolve(argument) else { return ["\(path): \(argument) does not resolve"] }
            return problems(value, target, at: path)
        case "type":
            return unless((argument.array ?? [argument]).contains { $0.string.map { isType($0, value) } == true })
        case "const": return unless(value == argument)
        case "enum": return unless(argument.array?.contains(value) == true)
        case "minimum": return unless(number(value).flatMap { value in number(argument).map { value >= $0 } } ?? true)
        case "maximum": return unless(number(value).flatMap { value in number(argument).map { value <= $0 } } ?? true)
        case "minLength", "maxLength":
            return unless(value.string.map { isWithin($0.unicodeScalars.count, keyword, argument) } ?? true)
        case "minItems", "maxItems": return unless(value.array.map { isWithin($0.count, keyword, argument) } ?? true)
        case "pattern":
            guard let text = value.string, let pattern = argument.string else { return [] }
            return unless(text.range(of: pattern, options: .regularExpression) != nil)
        case "format":
            return unless(argument != "date-time" || value.string.map { WireTime.date($0) != nil } ?? true)
        case "items":
            return (value.array ?? []).enumerated().flatMap { problems($1, argument, at: "\(path)[\($0)]") }
        case "allOf": return (argument.array ?? []).flatMap { problems(value, $0, at: path) }
        case "anyOf": return unless((argument.array ?? []).contains { problems(value, $0, at: path).isEmpty })
        case "required":
            return (argument.array ?? []).compactMap(\.string).filter { value.object != nil && value[$0] == nil }
                .map { "\(path): \($0) is missing" }
        case "properties":
            let known = argument.object ?? [:]
            return (value.object ?? [:]).flatMap { name, member in
                if let schema = known[name] { return problems(member, schema, at: "\(path).\(name)") }
                return isClosed ? ["\(path): \(name) is not described"] : []
            }
        case "additionalProperties":
            let known = Set((schema["properties"]?.object ?? [:]).keys)
            return (value.object ?? [:]).filter { !known.contains($0.key) }.flatMap { name, member in
                argument == false
                    ? ["\(path): \(name) is not allowed"] : problems(member, argument, at: "\(path).\(name)")
            }
        default: return ["\(path): unknown keyword \(keyword)"]
        }
    }

    /// - Returns: nil if the reference does not resolve.
    func resolve(_ reference: JSON) -> JSON? {
        reference.string?.split(separator: "/").dropFirst().reduce(Optional(document)) { $0?[String($1)] }
    }

    private func isType(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .number),
            ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }

    private func number(_ value: JSON) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    private func isWithin(_ count: Int, _ keyword: String, _ bound: JSON) -> Bool {
        guard let bound = number(bound) else { return false }
        return keyword.hasPrefix("min") ? Double(count) >= bound : Double(count) <= bound
    }
}
