import PouchClient
import PouchScreens

extension ScreenFailure {
    init(_ error: DataError) {
        let remedy = Remedy(error)
        let isOpen = error.openPurchase != nil && remedy != .signIn
        self.init(
            error.errorDescription ?? "That did not work.",
            advice: isOpen ? "Try again with the same card: it is made and paid only once." : error.recoverySuggestion,
            remedy: remedy, fields: error.fields)
    }
}

extension ScreenFailure.Remedy {
    fileprivate init(_ error: DataError) {
        switch error.reason {
        case .notSignedIn, .sessionEnded: self = .signIn
        case .invalidCredentials, .emailTaken, .validation, .emailRequired, .locationRequired, .discountInvalid,
            .discountExpired, .discountExhausted, .paymentDeclined:
            self = .correct
        case .outOfStock, .priceChanged, .cartEmpty, .shippingRequired, .unknownShippingMethod, .changedElsewhere,
            .listChanged:
            self = .review
        case .unreachable, .timedOut, .cancelled, .busy, .serverFailed, .unreadableAnswer, .stillRunning,
            .paymentProviderFailed, .tooManyAttempts, .unexpected:
            self = .retry
        default: self = .none
        }
    }
}

extension DataError {
    fileprivate var fields: [ScreenFailure.Field] {
        switch reason {
        case .validation(let fields): fields.map { ScreenFailure.Field(name: $0.field, text: $0.detail) }
        case .locationRequired: [ScreenFailure.Field(name: "address.location", text: "This is needed.")]
        default: []
        }
    }
}
