import Foundation

/// Reads request bodies and refuses every field that the type does not ask for.
///
///     let request = try StrictJSON.decode(SignUpRequest.self, from: body)
///
/// The value is decoded through a `RecordingDecoder`, which notes the keys that the type asks for; the keys that are
/// left over are the unknown fields. So a type needs no list of its keys besides its `Decodable` conformance.
public enum StrictJSON {
    public enum Failure: Error, Equatable {
        /// Nested deeper than `Limits.jsonDepth`.
        case tooDeep
        /// Not JSON, not UTF-8, or empty.
        case malformed
        /// JSON, but not of the form that the type needs.
        case fields([FieldProblem])

        /// For `fields`: `unknown_field` when one of them is unknown, else `validation_failed`.
        public var code: ProblemCode {
            switch self {
            case .tooDeep: .jsonTooDeep
            case .malformed: .invalidJSON
            case .fields(let problems):
                problems.contains { $0.code == ProblemCode.unknownField.rawValue } ? .unknownField : .validationFailed
            }
        }
    }

    public static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws(Failure) -> Value {
        let scan = JSONScan(data)
        guard scan.depth <= Limits.jsonDepth else { throw .tooDeep }
        guard !scan.hasTrailingComma else { throw .malformed }
        guard !scan.mayHaveMarks || !JSONScan.marks(in: data).areTooMany else { throw .fields([.tooManyMarks]) }
        let visits = KeyVisits()
        let decoder = WireJSON.decoder
        decoder.userInfo[keyVisitsKey] = visits
        let value: Value
        do {
            value = try decoder.decode(Recorded<Value>.self, from: data).value
        } catch let error as DecodingError {
            guard isJSON(data), let problem = FieldProblem(error) else { throw .malformed }
            throw .fields([problem])
        } catch {
            throw .malformed
        }
        let unknown = visits.unknownFields
        guard unknown.isEmpty else { throw .fields(unknown) }
        return value
    }

    /// Foundation's decoder has the same error for bad syntax and for a number that does not fit its field.
    private static func isJSON(_ data: Data) -> Bool {
        (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil
    }
}

/// Decodes the value through a recording decoder instead of the real one.
private struct Recorded<Value: Decodable>: Decodable {
    let value: Value

    init(from decoder: any Decoder) throws {
        guard let visits = decoder.userInfo[keyVisitsKey] as? KeyVisits else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no recorder"))
        }
        value = try Value(from: RecordingDecoder(base: decoder, visits: visits))
    }
}

private let keyVisitsKey: CodingUserInfoKey = {
    guard let key = CodingUserInfoKey(rawValue: "pouch.keyVisits") else { preconditionFailure("a constant name") }
    return key
}()

extension FieldProblem {
    fileprivate static var tooManyMarks: FieldProblem {
        let detail = "No text may have more than \(Limits.combiningMarks) combining marks in a row."
        return FieldProblem(field: "body", code: "invalid", detail: detail)
    }

    /// - Returns: nil for an error that concerns the document as a whole.
    fileprivate init?(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(at: context.codingPath + [key], "required", "is missing")
        case .valueNotFound(_, let context):
            self.init(at: context.codingPath, "required", "must not be null")
        case .typeMismatch(let type, let context):
            self.init(at: context.codingPath, "wrong_type", "must be \(Self.jsonName(of: type))")
        case .dataCorrupted(let context):
            self.init(at: context.codingPath, "invalid", "cannot be read")
        @unknown default:
            return nil
        }
    }

    private init(at path: [any CodingKey], _ code: String, _ predicate: String) {
        let field = path.isEmpty ? "body" : path.fieldPath
        self.init(field: field, code: code, detail: "\(field) \(predicate).")
    }

    /// The JSON name of a Swift type; a type's own name never leaves the server.
    private static func jsonName(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

/// Facts about a JSON text that are needed before it is decoded; found without recursion, so that hostile input cannot
/// exhaust the stack.
private struct JSONScan {
    /// The deepest nesting of objects and arrays; brackets within strings do not count.
    private(set) var depth = 0
    /// Whether a comma precedes a closing bracket, which Foundation's decoder accepts.
    private(set) var hasTrailingComma = false
    /// Whether a string has an escape of a character, or bytes with which combining marks begin.
    private(set) var mayHaveMarks = false

    init(_ bytes: some Sequence<UInt8>) {
        var level = 0
        var inString = false
        var escaped = false
        var afterComma = false
        for byte in bytes {
            if inString {
                if byte >= 0xCC { mayHaveMarks = true }
                if escaped {
                    if byte == UInt8(ascii: "u") { mayHaveMarks = true }
                    escaped = false
                } else if byte == UInt8(ascii: "\\") {
                    escaped = true
                } else if byte == UInt8(ascii: "\"") {
                    inString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
            case UInt8(ascii: "\""): inString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                level += 1
                depth = max(depth, level)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                if afterComma { hasTrailingComma = true }
            default: break
            }
            afterComma = byte == UInt8(ascii: ",")
        }
    }

    /// Counts the combining marks of all strings, written as they are or as escapes.
    static func marks(in data: Data) -> CombiningMarks {
        var marks = CombiningMarks()
        var scalars = String(decoding: data, as: UTF8.self).unicodeScalars.makeIterator()
        // The first half of a character beyond U+FFFF.
        var half: UInt32 = 0
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                marks.read(scalar)
                continue
            }
            guard scalars.next() == "u" else {
                marks.read(" ")
                continue
            }
            let unit = (0..<4).reduce(UInt32(0)) { value, _ in
                value << 4 | UInt32(scalars.next().flatMap { Character($0).hexDigitValue } ?? 0)
            }
            if 0xD800..<0xDC00 ~= unit {
                half = unit
            } else if 0xDC00..<0xE000 ~= unit {
                marks.read(Unicode.Scalar(0x10000 + ((half & 0x3FF) << 10) + (unit & 0x3FF)) ?? " ")
            } else {
                marks.read(Unicode.Scalar(unit) ?? " ")
            }
        }
        return marks
    }
}
