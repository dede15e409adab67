import PouchEntities
import PouchJSON
import PouchWire

/// A problem with the additional members of some codes.
public struct ProblemDetails: JSONModel, Equatable {
    public let problem: Problem
    /// With `payment_declined`: the provider's reason.
    public let declineCode: String?
    /// With `out_of_stock`, the SKUs with too few units; with `not_for_sale`, the SKUs that cannot be bought.
    public let lines: [StockShortfall]?
    /// With `price_changed`: the differences from the total that the buyer expected.
    public let changes: [CartChange]?

    public init(
        _ problem: Problem, declineCode: String? = nil, lines: [StockShortfall]? = nil, changes: [CartChange]? = nil
    ) {
        self.problem = problem
        self.declineCode = declineCode
        self.lines = lines
        self.changes = changes
    }

    public static let json = JSONObject(
        ProblemDetails.init(_:declineCode:lines:changes:), .fields(of: \.problem),
        .field("declineCode", \.declineCode), .field("lines", \.lines), .field("changes", \.changes))
}

// MARK: - OpenAPI

extension ProblemDetails: FieldsDescribed {
    /// An example of a problem with this code.
    package static func example(_ code: ProblemCode) -> ProblemDetails {
        let field = fieldExample(code)
        return ProblemDetails(
            Problem(code, detail: field?.detail, requestId: "0b6f1c9d2e7a", errors: field.map { [$0] }),
            declineCode: code == .paymentDeclined ? "insufficient_funds" : nil,
            lines: code == .outOfStock
                ? [StockShortfall(sku: "71101-69-m", available: 1)]
                : code == .notForSale ? [StockShortfall(sku: "71101-69-m", available: 0)] : nil,
            changes: code == .priceChanged
                ? [.priceChanged(sku: "71101-69-m", from: Money(11_900, .eur), to: Money(12_900, .eur))] : nil)
    }

    private static func fieldExample(_ code: ProblemCode) -> FieldProblem? {
        switch code {
        case .validationFailed:
            FieldProblem(field: "address.city", code: "required", detail: "address.city is missing.")
        case .unknownField:
            FieldProblem(field: "colour", code: code.rawValue, detail: "colour is not a field of this request.")
        case .invalidQuery:
            FieldProblem(field: "limit", code: "invalid", detail: "limit must be a whole number from 1 to 200.")
        default: nil
        }
    }

    public static let fieldFacts: [String: FieldFact] = [
        "type": .example("about:blank#validation_failed"),
        "title": .example("Some fields are invalid"),
        "status": FieldFact.range(400...599, example: 422),
        "detail": .example("address.city is missing."),
        "code": FieldFact(
            keywords: ["enum": .array(ProblemCode.all.map { .string($0.rawValue) })],
            example: "validation_failed"),
    ]
}

extension FieldProblem: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "code": .example("required"),
        "detail": .example("address.city is missing."),
    ]
}
