import Foundation

/// Reads request bodies: what the type does not ask for is refused.
///
/// The value is decoded through a `RecordingDecoder`, which notes the keys that the type asked for; what is left over
/// are the unknown fields. So the types need no list of their keys beside their `Decodable` conformance.
public enum StrictJSON {
    public enum Failure: Error, Equatable {
        /// Nested deeper than `Limits.jsonDepth`.
        case tooDeep
        /// Not JSON, not UTF-8, or empty.
        case malformed
        /// JSON, but not what the type needs.
        case fields([FieldProblem])

        /// `unknown_field` when there is one, else `validation_failed`; the other two cases have their own code.
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
        let visits = KeyVisits()
        let decoder = WireJSON.decoder
        decoder.userInfo[Recorded<Value>.visitsKey] = visits
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

/// Hands the type that is to be decoded a recording decoder in place of the real one.
private struct Recorded<Value: Decodable>: Decodable {
    let value: Value

    static var visitsKey: CodingUserInfoKey { keyVisitsKey }

    init(from decoder: any Decoder) throws {
        guard let visits = decoder.userInfo[Self.visitsKey] as? KeyVisits else {
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
    /// - Returns: nil for an error that concerns the document as a whole.
    init?(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            let field = FieldPath.text(context.codingPath + [key])
            self.init(field: field, code: "required", detail: "\(field) is missing.")
        case .valueNotFound(_, let context):
            let field = FieldPath.text(context.codingPath)
            self.init(field: field, code: "required", detail: "\(field) must not be null.")
        case .typeMismatch(let type, let context):
            let field = FieldPath.text(context.codingPath)
            self.init(field: field, code: "wrong_type", detail: "\(field) must be \(Self.jsonName(of: type)).")
        case .dataCorrupted(let context):
            let field = FieldPath.text(context.codingPath)
            self.init(field: field, code: "invalid", detail: "\(field) cannot be read.")
        @unknown default:
            return nil
        }
    }

    /// What people call a Swift type in JSON; a type's own name never leaves the server.
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
