import PouchJSON

extension JSONError {
    /// The problem of a request with such a body: `unknown_field` when one of its fields is unknown.
    public var code: ProblemCode {
        switch self {
        case .tooDeep: .jsonTooDeep
        case .malformed: .invalidJSON
        case .fields(let fields): fields.contains { $0.fault == .unknown } ? .unknownField : .validationFailed
        }
    }

    /// The fields as a problem names them; none for a text that is not JSON.
    public var fieldProblems: [FieldProblem] {
        guard case .fields(let fields) = self else { return [] }
        return fields.map(FieldProblem.init)
    }
}

extension FieldProblem {
    /// Bounds what a response repeats of a hostile request.
    private static let longestName = 80

    fileprivate init(_ fault: JSONError.Field) {
        let field = fault.path.isEmpty ? "body" : String(fault.path.unicodeScalars.prefix(Self.longestName))
        let (code, detail) =
            switch fault.fault {
            case .missing: ("required", "\(field) is missing.")
            case .null: ("required", "\(field) must not be null.")
            case .wrongType(let expected): ("wrong_type", "\(field) must be \(expected).")
            case .invalid: ("invalid", "\(field) cannot be read.")
            case .duplicate: ("invalid", "\(field) occurs more than once.")
            case .tooManyMarks: ("invalid", "\(field) has more than \(CombiningMarks.most) combining marks in a row.")
            case .unknown: (ProblemCode.unknownField.rawValue, "\(field) is not a field of this request.")
            }
        self.init(field: field, code: code, detail: detail)
    }
}
