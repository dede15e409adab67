import Foundation
import PouchJSON

/// A batch of spans as OTLP/HTTP in JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
///
/// Ids are hexadecimal, and 64-bit numbers are strings.
struct OTLPBatch {
    let resource: [FinishedSpan.Attribute]
    let spans: [FinishedSpan]

    var json: Data {
        get throws {
            let batch: JSON = [
                "resourceSpans": [
                    [
                        "resource": ["attributes": Self.attributes(resource)],
                        "scopeSpans": [["scope": ["name": "pouch"], "spans": .array(spans.map(Self.span))]],
                    ]
                ]
            ]
            return try batch.json()
        }
    }

    private static func span(_ span: FinishedSpan) -> JSON {
        var json: JSON = [
            "attributes": Self.attributes(span.attributes),
            "endTimeUnixNano": .string(String(span.endedAt)),
            "kind": .integer(span.kind.rawValue),
            "name": .string(span.name),
            "spanId": .string(span.trace.spanId),
            "startTimeUnixNano": .string(String(span.startedAt)),
            "status": span.isError ? ["code": 2] : [:],
            "traceId": .string(span.trace.traceId),
        ]
        json["parentSpanId"] = span.parentId.map(JSON.string)
        json["events"] = span.exception.map { exception -> JSON in
            [
                [
                    "attributes": Self.attributes([.init(key: "exception.type", value: .text(exception.type))]),
                    "name": "exception",
                    "timeUnixNano": .string(String(exception.time)),
                ]
            ]
        }
        return json
    }

    private static func attributes(_ attributes: [FinishedSpan.Attribute]) -> JSON {
        .array(
            attributes.map { attribute in
                let value: JSON =
                    switch attribute.value {
                    case .text(let text): ["stringValue": .string(text)]
                    case .integer(let integer): ["intValue": .string(String(integer))]
                    }
                return ["key": .string(attribute.key), "value": value]
            })
    }
}
