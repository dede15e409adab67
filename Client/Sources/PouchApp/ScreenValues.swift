import Foundation
import PouchClient
import PouchScreens

// The values of managers, as screens show them.

extension LoadState {
    init(_ dated: Dated<Value>) {
        self.init(dated.map(Optional.some))
    }

    /// The failure is not shown if the age of the value is known. An unknown value without a failure is being loaded.
    init(_ dated: Dated<Value?>) {
        let showsAge = dated.value != nil && dated.asOf != nil
        self.init(
            dated.value, isLoading: dated.value == nil && dated.failure == nil,
            failure: showsAge ? nil : dated.failure.map { ScreenFailure($0) },
            asOf: dated.failure == nil ? nil : dated.asOf)
    }

    /// Whether the shop may have a newer value.
    var isOutdated: Bool { failure != nil || asOf != nil }

    /// Whether there is nothing to show because the shop cannot be reached.
    var isUnreachable: Bool { value == nil && failure?.remedy == .retry }

    /// Ends loading. A cancellation is not a failure.
    mutating func fail(_ error: DataError) {
        guard error.reason != .cancelled else { return isLoading = false }
        fail(ScreenFailure(error))
    }
}

// MARK: - Errors

extension ScreenFailure {
    init(_ error: DataError) {
        let remedy = Remedy(error)
        let isOpen = error.openPurchase != nil && remedy != .signIn
        self.init(
            error.errorDescription ?? "Something went wrong.",
            advice: isOpen ? "Try again with the same card; you will be charged only once." : error.recoverySuggestion,
            remedy: remedy, fields: error.fields)
    }
}

extension ScreenFailure.Remedy {
    fileprivate init(_ error: DataError) {
        switch error.reason {
        case .notSignedIn, .sessionEnded: self = .signIn
        case .invalidCredentials, .wrongPassword, .secondFactorRequired, .secondFactorInvalid, .emailTaken, .validation,
            .emailRequired, .locationRequired, .discountInvalid, .discountExpired, .discountExhausted, .paymentDeclined:
            self = .correct
        case .outOfStock, .notForSale, .priceChanged, .cartEmpty, .shippingRequired, .unknownShippingMethod,
            .changedElsewhere,
            .listChanged:
            self = .review
        case _ where error.isTemporary: self = .retry
        default: self = .none
        }
    }
}

extension DataError {
    fileprivate var fields: [ScreenFailure.Field] {
        switch reason {
        case .validation(let fields): fields.map { ScreenFailure.Field(name: $0.field, text: $0.detail) }
        case .secondFactorRequired, .secondFactorInvalid:
            [ScreenFailure.Field(name: "code", text: errorDescription ?? "This field is required.")]
        case .locationRequired: [ScreenFailure.Field(name: "address.location", text: "This field is required.")]
        default: []
        }
    }
}

extension Notice {
    init(_ error: DataError) {
        self.init(Self.sentences(error))
    }

    init(placed order: Order) {
        self.init("Your order \(order.number) was placed.")
    }

    init(_ settlement: PurchaseSettlement) {
        let total = settlement.purchase.total.map { " of \($0.text)" } ?? ""
        let text =
            switch settlement.outcome {
            case .bought(let order): "was completed: it is order \(order.number)."
            case .refused(let error): "failed, and nothing was charged. \(error.errorDescription ?? "")"
            case .unknown: "may have gone through. Check your orders before you buy again."
            case .open: "may have gone through. Its outcome is checked as soon as the shop can be reached."
            }
        self.init("Your last purchase\(total) \(text)")
    }

    /// A notice that the shop refused an edit which was accepted while the shop could not be reached.
    init(_ edit: CartEdit, refusedWith error: DataError) {
        let refusal =
            switch edit {
            case .add(let sku, let quantity): "\(quantity) of \(sku) could not be added to the cart."
            case .set(let sku, let quantity): "The quantity of \(sku) could not be set to \(quantity)."
            case .remove(let sku): "\(sku) could not be removed from the cart."
            case .clear: "The cart could not be emptied."
            }
        self.init(refusal + " " + Self.sentences(error))
    }

    private static func sentences(_ error: DataError) -> String {
        [error.errorDescription, error.recoverySuggestion].compactMap(\.self).joined(separator: " ")
    }
}

// MARK: - Status

extension Visitor {
    init(_ session: UserSession?) {
        self = session?.profile.map(Self.customer) ?? (session == nil ? .signedOut : .guest)
    }

    /// Whether this is the same person as before. A signed-out visitor becomes a guest by using the shop.
    func isSame(as earlier: Visitor) -> Bool {
        switch (earlier, self) {
        case (.signedOut, .guest): true
        case (.customer(let before), .customer(let now)): before.id == now.id
        default: self == earlier
        }
    }
}

extension CartBadge {
    init(_ state: CartState?) {
        self.init(unitCount: state?.cart.unitCount, pendingChanges: state?.pendingCount ?? 0)
    }
}

extension Connectivity {
    init(_ connection: Connection) {
        self = connection == .online ? .online : .offline
    }
}
