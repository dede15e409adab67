import PouchContract
import PouchEntities
import PouchJSON

/// Writes the section `webhooks` of the OpenAPI document: a request for each type of events, with its typed data.
enum WebhookWriter {
    /// - Parameter answers: has the schema of events already.
    static func webhooks(_ answers: SchemaRecorder) throws -> JSON {
        let event = try answers.schema(of: ShopEvent.self)
        let fields = fields(of: EventData.jsonShape)
        return .object(
            Dictionary(
                uniqueKeysWithValues: EventType.allCases.filter { $0 != .unrecognised }.map { type in
                    (type.rawValue, ["post": operation(type, event, dataField: fields.first { $0 == type.dataField })])
                }))
    }

    private static func fields(of shape: JSONShape) -> [String] {
        guard case .object(_, let fields) = shape else { return [] }
        return fields.map(\.name)
    }

    /// - Parameter dataField: the field of the data that each event of the type has; nil for none.
    private static func operation(_ type: EventType, _ event: JSON, dataField: String?) -> JSON {
        var data: JSON = ["type": "object"]
        if let dataField { data["required"] = [.string(dataField)] }
        return [
            "operationId": .string("webhook-" + type.rawValue),
            "summary": .string("An event of the type \(type.rawValue)"),
            "tags": ["webhooks"],
            "security": [],
            "parameters": .array(headers),
            "requestBody": [
                "required": true,
                "content": [
                    "application/json": [
                        "schema": [
                            "allOf": [
                                event,
                                ["properties": ["type": ["const": .string(type.rawValue)], "data": data]],
                            ]
                        ]
                    ]
                ],
            ],
            "responses": [
                "2XX": [
                    "description":
                        "The event was taken. Any other answer, and none within 10 s, counts as a failure: the same event comes again, at most ten times within three days."
                ],
                "410": ["description": "The endpoint wants no more requests; the shop pauses it."],
            ],
        ]
    }

    private static let headers: [JSON] = [
        (
            "webhook-id", "The id of the event, which stays the same when it is sent again.",
            ["type": "string"]
        ),
        (
            "webhook-timestamp", "The time of the request, in seconds since 1970.",
            ["type": "string", "pattern": "^[0-9]+$"]
        ),
        (
            "webhook-signature",
            "Signatures as Standard Webhooks has them, separated by spaces: v1, a comma, and the HMAC-SHA-256 of id, time and body, with dots between, in base 64. After a rotation there are two.",
            ["type": "string"]
        ),
    ].map { (name: String, description: String, schema: JSON) -> JSON in
        [
            "name": .string(name), "in": "header", "required": true, "description": .string(description),
            "schema": schema,
        ]
    }
}

extension EventType {
    /// The field of `EventData` that events of the type have.
    fileprivate var dataField: String {
        let object = String(rawValue.prefix { $0 != "." })
        return object == "payment" ? "order" : object
    }
}
