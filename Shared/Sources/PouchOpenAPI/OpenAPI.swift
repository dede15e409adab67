import Foundation
import PouchContract
import PouchJSON
import PouchWire

/// The OpenAPI 3.1 description of the HTTP interface, generated from the contract.
public enum OpenAPI {
    /// The version of the interface. Its first number is also in the paths.
    public static let version = "1.0.0"

    /// The document that the server sends. The bytes are the same in every process of one version.
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
                            "The same token, for a client that sends Authorization to a proxy in front of the server. If this header is present, Authorization is ignored.",
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
            example["description"] = ProblemAdvice.byCode[code].map(JSON.string)
            examples[code.rawValue] = example
        }
        return examples
    }

    private static let headers: JSON = [
        HeaderName.requestId: [
            "description": "The ID of the request in the server's log.", "required": true,
            "schema": ["type": "string", "minLength": 1],
        ],
        HeaderName.etag: [
            "description": "Identifies this state, for If-None-Match and If-Match.", "schema": ["type": "string"],
        ],
        HeaderName.idempotentReplayed: [
            "description": "true if this repeats the response to the first request with the same key.",
            "schema": ["type": "boolean"],
        ],
        HeaderName.shouldRetry: [
            "description": "Whether sending the same request again can help.", "required": true,
            "schema": ["type": "boolean"],
        ],
        HeaderName.retryAfter: [
            "description": "Seconds to wait before the next attempt.", "schema": ["type": "integer", "minimum": 0],
        ],
        "WWW-Authenticate": ["required": true, "schema": ["type": "string"]],
    ]
}
