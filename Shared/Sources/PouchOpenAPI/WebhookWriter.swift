import PouchContract
import PouchEntities
import PouchJSON

/// Writes the section `webhooks` of the OpenAPI document: a request for each event type, with its typed data.
enum WebhookWriter {
    /// - Parameter answers: already has the schema of events.
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
            "summary": .string("An event of type \(type.rawValue)"),
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
                        "The event was accepted. Any other response, or none within 10 s, counts as a failure: the same event is sent again, at most ten times within three days."
                ],
                "410": ["description": "The endpoint no longer accepts requests; the shop pauses the webhook."],
            ],
        ]
    }

    private static let headers: [JSON] = [
        (
            "webhook-id", "The ID of the event, which is the same for each attempt.",
            ["type": "string"]
        ),
        (
            "webhook-timestamp", "The time of the request, in seconds since 1970.",
            ["type": "string", "pattern": "^[0-9]+$"]
        ),
        (
            "webhook-signature",
            "Signatures in the format of Standard Webhooks, separated by spaces: v1, a comma, and the HMAC-SHA-256 of ID, time and body, joined by dots, in base 64. After a rotation there are two.",
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
