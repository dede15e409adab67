import Foundation
import PouchContract
import PouchJSON
import PouchWire

/// The OpenAPI 3.1 description of the HTTP interface, made from the contract.
public enum OpenAPI {
    /// The version of the interface; the first number is also in the paths.
    public static let version = "1.0.0"

    /// The document that the server sends. The bytes are equal in every process of one version.
    ///
    /// - Throws: the same error on every call, if a type of the contract cannot be described.
    public static func bytes() throws -> Data { try encoded.get() }

    private static let encoded = Result { try document().json() }

    public static func document() throws -> JSON {
        let answers = SchemaRecorder(.answer)
        let problem = try answers.schema(of: ProblemDetails.self)
        for type in Contract.all.flatMap({ [$0.answerType, $0.minimalAnswer] }) {
            if let type = type as? any JSONCodable.Type { _ = try answers.schema(of: type) }
        }
        let requests = SchemaRecorder(.request, taken: Set(answers.components.keys))
        let writer = OperationWriter(requests: requests, answers: answers, problem: problem)

        var paths: [String: JSON] = [:]
        for exchange in Contract.all {
            let path = exchange.endpoint.template.description.replacing("...}", with: "}")
            let method = exchange.endpoint.method.rawValue.lowercased()
            paths[path, default: [:]][method] = try writer.operation(exchange)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Pouch", "summary": "A commerce server", "version": .string(version),
                "license": ["name": "Apache License 2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "tags": .array(OpenAPITag.all.map(\.json)),
            "x-tagGroups": OpenAPITag.groups,
            "paths": .object(paths),
            "webhooks": try WebhookWriter.webhooks(answers),
            "components": [
                "schemas": .object(answers.components.merging(requests.components) { answer, _ in answer }),
                "examples": .object(try problemExamples()),
                "headers": headers,
                "securitySchemes": [
                    "accessToken": ["type": "http", "scheme": "bearer", "bearerFormat": "JWT"],
                    "accessTokenField": [
                        "type": "apiKey", "in": "header", "name": .string(HeaderName.accessToken),
                        "description":
                            "The same token, for a client whose Authorization belongs to a proxy in front of the server. With this field, Authorization is not read.",
                    ],
                ],
            ],
        ]
    }

    private static func problemExamples() throws -> [String: JSON] {
        var examples: [String: JSON] = [:]
        for code in ProblemCode.all {
            var example: JSON = [
                "summary": .string(code.title), "value": try JSON(json: ProblemDetails.example(code).json()),
                "x-should-retry": .bool(code.shouldRetry),
            ]
            example["description"] = ProblemAdvice.byCode[code.rawValue].map(JSON.string)
            examples[code.rawValue] = example
        }
        return examples
    }

    private static let headers: JSON = [
        HeaderName.requestId: [
            "description": "The name of the request in the server's log.", "required": true,
            "schema": ["type": "string", "minLength": 1],
        ],
        HeaderName.etag: [
            "description": "Names this state; If-None-Match and If-Match take it.", "schema": ["type": "string"],
        ],
        HeaderName.idempotentReplayed: [
            "description": "true on an answer that repeats what the first request with the same key got.",
            "schema": ["type": "boolean"],
        ],
        HeaderName.shouldRetry: [
            "description": "Whether sending the same again can help.", "required": true, "schema": ["type": "boolean"],
        ],
        HeaderName.retryAfter: [
            "description": "Seconds to wait before trying again.", "schema": ["type": "integer", "minimum": 0],
        ],
        "WWW-Authenticate": ["required": true, "schema": ["type": "string"]],
    ]
}
