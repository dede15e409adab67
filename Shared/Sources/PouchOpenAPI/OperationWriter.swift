import PouchContract
import PouchJSON
import PouchWire

/// Writes the operations of the OpenAPI document, one for each exchange.
struct OperationWriter {
    let requests: SchemaRecorder
    let answers: SchemaRecorder
    /// The schema of every error response.
    let problem: JSON

    func operation(_ exchange: any AnyExchange) throws -> JSON {
        let endpoint = exchange.endpoint
        var operation: JSON = [
            "operationId": .string(endpoint.name),
            "summary": .string(Self.sentence(endpoint.name)),
            "description": .string(exchange.about),
            "tags": [.string(OpenAPITag.of(endpoint.template).id)],
            "x-access": .string(endpoint.access.permission?.rawValue ?? "\(endpoint.access)"),
            "security": Self.security(exchange),
            "parameters": .array(parameters(exchange)),
            "responses": .object(
                try goodResponses(exchange).merging(problemResponses(exchange.problemCodes)) { good, _ in good }),
        ]
        if let type = exchange.bodyType as? any JSONCodable.Type {
            operation["requestBody"] = [
                "required": .bool(!exchange.features.contains(.bodyOptional)),
                "content": ["application/json": ["schema": try requests.schema(of: type)]],
            ]
        } else if exchange.bodyType == RawBytes.self {
            operation["requestBody"] = ["required": true, "content": Self.bytes]
        }
        if let code = CallSamples.all[endpoint.name] {
            operation["x-codeSamples"] = [["lang": "swift", "label": "Swift", "source": .string(code)]]
        }
        return operation
    }

    // MARK: The request

    private static func security(_ exchange: any AnyExchange) -> JSON {
        let tokens: [JSON] = [["accessToken": []], ["accessTokenField": []]]
        if exchange.endpoint.access != .anyone { return .array(tokens) }
        return .array(exchange.features.contains(.acceptsGuestToken) ? [[:]] + tokens : [])
    }

    private func parameters(_ exchange: any AnyExchange) -> [JSON] {
        var parameters: [JSON] = exchange.endpoint.template.parameters.map { name in
            Self.parameter(name, in: "path", ["type": "string", "minLength": 1], isRequired: true)
        }
        parameters += (exchange.query?.parameters ?? []).map { parameter in
            Self.parameter(parameter.name, in: "query", parameter.schema, isRequired: parameter.isRequired)
        }
        func header(_ name: String, _ schema: JSON, isRequired: Bool = false) {
            parameters.append(Self.parameter(name, in: "header", schema, isRequired: isRequired))
        }
        if exchange.acceptsKey {
            let length = FieldFact.length(Limits.idempotencyKeyLength).keywords
            header(
                HeaderName.idempotencyKey,
                JSON.object(["type": "string", "pattern": "^[!-~]+$"]).merging(length),
                isRequired: exchange.features.contains(.keyRequired))
        }
        if exchange.acceptsIfMatch {
            header(HeaderName.ifMatch, ["type": "string", "pattern": #"^("[0-9]{1,18}"|\*)$"#])
        }
        if exchange.features.contains(.cached) { header(HeaderName.ifNoneMatch, ["type": "string"]) }
        if exchange.features.contains(.ranges) { header("Range", ["type": "string"]) }
        if exchange.answerType is any EventsAnswer.Type { header(HeaderName.lastEventId, ["type": "string"]) }
        if exchange.minimalAnswer != nil { header(HeaderName.prefer, ["type": "string"]) }
        return parameters
    }

    private static func parameter(_ name: String, in place: String, _ schema: JSON, isRequired: Bool) -> JSON {
        var parameter: JSON = ["name": .string(name), "in": .string(place), "schema": schema]
        if isRequired { parameter["required"] = true }
        if isRequired, place != "header" { parameter["example"] = FieldNote.namedExample(name) }
        parameter["description"] = FieldNote.text(name, of: place).map(JSON.string)
        return parameter
    }

    // MARK: The responses

    private func goodResponses(_ exchange: any AnyExchange) throws -> [String: JSON] {
        let hasTag = !exchange.features.isDisjoint(with: [.cached, .versioned, .firstVersion])
        let names = [HeaderName.requestId] + (hasTag ? [HeaderName.etag] : [])
        let headers = Self.headers(names)
        var good: JSON = [
            "description": "Success.",
            "headers": Self.headers(names + (exchange.acceptsKey ? [HeaderName.idempotentReplayed] : [])),
        ]
        if let content = try content(exchange) { good["content"] = content }
        var responses = [String(exchange.status): good]
        if exchange.features.contains(.ranges) { responses["206"] = good }
        if exchange.answerType is any EventsAnswer.Type {
            responses["204"] = ["description": "No more events will follow.", "headers": headers]
        }
        if exchange.features.contains(.cached) {
            responses["304"] = ["description": "The state in If-None-Match is current.", "headers": headers]
        }
        return responses
    }

    private func content(_ exchange: any AnyExchange) throws -> JSON? {
        if let type = exchange.answerType as? any JSONCodable.Type {
            var schema = try answers.schema(of: type)
            if let minimal = exchange.minimalAnswer { schema = ["anyOf": [schema, try answers.schema(of: minimal)]] }
            return ["application/json": ["schema": schema]]
        }
        if let events = exchange.answerType as? any EventsAnswer.Type {
            let data = try answers.schema(of: events.dataType)
            return [
                "text/event-stream": [
                    "schema": [
                        "type": "string", "contentMediaType": "text/event-stream",
                        "description": "Events, each with this JSON object as its data.", "x-data": data,
                    ]
                ]
            ]
        }
        if exchange.answerType == JSONDocument.self { return ["application/json": ["schema": ["type": "object"]]] }
        return exchange.answerType == RawBytes.self ? Self.bytes.merging(["*/*": [:]]) : nil
    }

    /// Client generators recognise this type as bytes of any type.
    private static let bytes: JSON = [
        "application/octet-stream": ["schema": ["type": "string", "format": "binary"]]
    ]

    private func problemResponses(_ codes: Set<ProblemCode>) -> [String: JSON] {
        let ordered = ProblemCode.all.filter(codes.contains)
        return Dictionary(grouping: ordered, by: \.status).reduce(into: [:]) { responses, entry in
            let (status, codes) = entry
            var headers = [HeaderName.requestId]
            if status == 401 { headers.append("WWW-Authenticate") }
            if codes.contains(where: \.hasShouldRetry) { headers += [HeaderName.shouldRetry, HeaderName.retryAfter] }
            responses[String(status)] = [
                "description": .string(codes.map { "`\($0)`: \($0.title)." }.joined(separator: " ")),
                "headers": Self.headers(headers),
                "content": [
                    Problem.mediaType: [
                        // The properties are next to the reference: for an `allOf`, client generators would create a
                        // separate type for each response.
                        "schema": problem.merging([
                            "properties": [
                                "status": ["const": .integer(Int64(status))],
                                "code": ["enum": .array(codes.map { .string($0.rawValue) })],
                            ]
                        ]),
                        "examples": .object(
                            Dictionary(
                                uniqueKeysWithValues: codes.map { code in
                                    (code.rawValue, ["$ref": .string("#/components/examples/\(code)")])
                                })),
                    ]
                ],
            ]
        }
    }

    private static func headers(_ names: [String]) -> JSON {
        .object(
            Dictionary(uniqueKeysWithValues: names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) }))
    }

    // MARK: Names

    /// Converts `setCartLine` to `Set cart line`.
    private static func sentence(_ name: String) -> String {
        let words = name.replacing(/[A-Z]+/) { match in
            // Several capitals in a row are an acronym.
            " " + (match.output.count > 1 ? String(match.output) : match.output.lowercased())
        }
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}
