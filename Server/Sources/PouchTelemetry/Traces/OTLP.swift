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
            var writer = JSONWriter()
            writer.object { writer in
                writer.key("resourceSpans")
                writer.list(of: [self]) { batch, writer in
                    writer.object { writer in
                        writer.key("resource")
                        writer.object { $0.attributes(batch.resource) }
                        writer.key("scopeSpans")
                        writer.list(of: [batch]) { batch, writer in
                            writer.object { writer in
                                writer.key("scope")
                                writer.object { $0.member("name", "pouch") }
                                writer.key("spans")
                                writer.list(of: batch.spans) { $1.span($0) }
                            }
                        }
                    }
                }
            }
            return try writer.finish()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ key: String, _ text: String) {
        self.key(key)
        self.text(text)
    }

    fileprivate mutating func span(_ span: FinishedSpan) {
        object { writer in
            writer.attributes(span.attributes)
            writer.member("endTimeUnixNano", String(span.endedAt))
            if let exception = span.exception {
                writer.key("events")
                writer.list(of: [exception]) { exception, writer in
                    writer.object { writer in
                        writer.attributes([.init(key: "exception.type", value: .text(exception.type))])
                        writer.member("name", "exception")
                        writer.member("timeUnixNano", String(exception.time))
                    }
                }
            }
            writer.key("kind")
            writer.integer(span.kind.rawValue)
            writer.member("name", span.name)
            if let parentId = span.parentId { writer.member("parentSpanId", parentId) }
            writer.member("spanId", span.trace.spanId)
            writer.member("startTimeUnixNano", String(span.startedAt))
            writer.key("status")
            writer.object { writer in
                if span.isError {
                    writer.key("code")
                    writer.integer(2)
                }
            }
            writer.member("traceId", span.trace.traceId)
        }
    }

    fileprivate mutating func attributes(_ attributes: [FinishedSpan.Attribute]) {
        key("attributes")
        list(of: attributes) { attribute, writer in
            writer.object { writer in
                writer.member("key", attribute.key)
                writer.key("value")
                writer.object { writer in
                    switch attribute.value {
                    case .text(let text): writer.member("stringValue", text)
                    case .integer(let integer): writer.member("intValue", String(integer))
                    }
                }
            }
        }
    }
}
