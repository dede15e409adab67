import PouchWire

extension AnyExchange {
    /// Every problem that can be answered: what follows from the parts of the exchange, and its own.
    public var problemCodes: Set<ProblemCode> {
        var codes: Set<ProblemCode> = [.headersTooLarge, .internalError, .overloaded, .unavailable]
        codes.formUnion(ownProblems)
        if endpoint.access != .anyone || features.contains(.takesGuest) {
            codes.formUnion([.unauthenticated, .tokenExpired])
        }
        if ![.anyone, .guestOrCustomer].contains(endpoint.access) { codes.insert(.forbidden) }
        if endpoint.template.segments.contains(where: { $0.parameter != nil }) {
            codes.formUnion([.notFound, .invalidRequest])
        }
        if let query {
            codes.insert(.invalidQuery)
            if OpenAPI.parameters(of: query).contains(where: { $0.name == "cursor" }) { codes.insert(.invalidCursor) }
        }
        if hasBody {
            codes.formUnion([
                .invalidRequest, .invalidJSON, .bodyTooLarge, .unsupportedMediaType, .validationFailed, .unknownField,
                .jsonTooDeep,
            ])
        } else if endpoint.method != .get {
            codes.formUnion([.invalidRequest, .bodyTooLarge])
        }
        if takesKey {
            codes.formUnion([.invalidHeader, .idempotencyKeyReused, .idempotencyKeyInUse])
            if features.contains(.keyRequired) { codes.insert(.idempotencyKeyRequired) }
        }
        if takesVersion { codes.formUnion([.invalidHeader, .versionConflict]) }
        if features.contains(.ranges) { codes.insert(.rangeNotSatisfiable) }
        return codes
    }

    var hasBody: Bool { bodyType != NoBody.self }

    var takesKey: Bool { endpoint.method == .post && endpoint.access != .anyone }

    /// Whether a request may have `If-Match`.
    public var takesVersion: Bool { features.contains(.versioned) && endpoint.method != .get }
}

extension PathTemplate.Segment {
    /// The name of what stands there; nil for a literal.
    var parameter: String? {
        switch self {
        case .literal: nil
        case .parameter(let name), .rest(let name): name
        }
    }
}
