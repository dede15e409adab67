import Foundation
import PouchEntities

extension DataError: LocalizedError {
    /// One sentence, followed by a second one where a purchase is left open.
    public var errorDescription: String? {
        openPurchase == nil ? sentence : sentence + " The purchase may have been made."
    }

    private var sentence: String {
        switch reason {
        case .invalidCredentials: "The e-mail address or the password is wrong."
        case .emailTaken: "This e-mail address already has an account."
        case .tooManyAttempts: "There were too many failed attempts."
        case .notSignedIn: "You are not signed in."
        case .sessionEnded: "Your session has ended."
        case .forbidden: "This account may not do that."
        case .notFound: "The shop could not find it."
        case .unknownSKU: "The shop does not sell this SKU."
        case .notOffered: "This shop only shows its catalogue here."
        case .listChanged: "The list has changed since you opened it."
        case .outOfStock(let lines): Self.sentence("There is not enough in stock", lines.map(Self.text))
        case .priceChanged(let changes): Self.sentence("The price has changed", changes.compactMap(Self.text))
        case .cartEmpty: "The cart is empty."
        case .cartFull: "The cart is full."
        case .shippingRequired: "The delivery method or the address is missing."
        case .unknownShippingMethod: "This delivery method is not available for the address."
        case .locationRequired: "This delivery method needs a location."
        case .emailRequired: "A guest has to give an e-mail address."
        case .discountInvalid: "The discount code is not valid."
        case .discountExpired: "The discount code has expired."
        case .discountExhausted: "The discount code has been used up."
        case .paymentDeclined(let code): "The payment was declined" + (code.map { " (\($0))." } ?? ".")
        case .paymentProviderFailed: "The payment could not be processed; nothing was charged."
        case .stillRunning: "An earlier attempt is still in progress."
        case .keyReused: "This idempotency key was already used for another request."
        case .notCancellable: "This can no longer be cancelled."
        case .deliverySettled: "The delivery method can no longer be changed."
        case .rideInProgress: "You already have a ride in progress."
        case .quoteExpired: "The quote has expired."
        case .quoteMismatch: "The quote is for another trip."
        case .rideNotCompleted: "The ride has not been completed yet."
        case .codeTaken: "Another discount already has this code."
        case .stockNegative: Self.sentence("There are not enough unreserved units", detail.map { [$0] } ?? [])
        case .notFulfillable: "The order cannot be shipped in its current state."
        case .notDeliverable: "The order cannot be delivered in its current state."
        case .refundExceedsCapture: "The refund exceeds what is left of the charge."
        case .invalidFeed: Self.sentence("The file cannot be imported", detail.map { [$0] } ?? [])
        case .changedElsewhere: "Someone else has changed this since you opened it."
        case .validation(let fields): Self.sentence("Some fields are invalid", fields.map(\.detail))
        case .unreachable: "The server cannot be reached."
        case .untrustedServer: "The server's certificate is not trusted."
        case .timedOut: "The server did not answer in time."
        case .cancelled: "This was cancelled."
        case .busy: "The server is busy."
        case .serverFailed: "Something went wrong on the server."
        case .unreadableAnswer: "The server's answer cannot be read."
        case .outcomeUnknown: "It is not known whether this was done."
        case .sessionStorage: "The session could not be saved on this device."
        case .localStore: "The shop's data on this device cannot be read or written."
        case .unexpected: detail ?? "Something unexpected happened."
        }
    }

    public var recoverySuggestion: String? {
        switch reason {
        case .notSignedIn, .sessionEnded, .forbidden: "Sign in and try again."
        case _ where openPurchase != nil: "Check your orders before you buy again."
        case .invalidCredentials: "Check both, or create an account."
        case .emailTaken: "Sign in, or use another address."
        case .tooManyAttempts(let wait), .busy(let wait), .stillRunning(let wait): Self.retryText(after: wait)
        case .notOffered: "Ask the shop where to buy."
        case .notFound: "Check the name or the number, then try again."
        case .unknownSKU: "Check the SKU, or browse the catalogue."
        case .listChanged: "Open it again from the start."
        case .outOfStock: "Choose fewer, or another product."
        case .priceChanged: "Check the new total; nothing was charged."
        case .cartEmpty: "Add a product first."
        case .cartFull: "Remove a line, or check out first."
        case .shippingRequired: "Choose a delivery method and an address."
        case .unknownShippingMethod: "Choose one of the methods that are offered."
        case .locationRequired: "Give a location, or choose another delivery method."
        case .emailRequired: "Enter one, or sign in."
        case .discountInvalid, .discountExpired, .discountExhausted: "Continue without it, or use another."
        case .paymentDeclined: "Use another card; nothing was ordered."
        case .paymentProviderFailed: "Try again in a while."
        case .keyReused: "Use a new key."
        case .notCancellable, .notFulfillable, .notDeliverable: "Check its status."
        case .deliverySettled: "Check the order for its delivery method."
        case .rideInProgress: "Wait until it ends, or cancel it."
        case .quoteExpired, .quoteMismatch: "Ask for a new quote."
        case .rideNotCompleted: "Wait until it ends to see the receipt."
        case .codeTaken: "Change that one, or choose another code."
        case .stockNegative: "Remove fewer; units that orders hold have to stay."
        case .refundExceedsCapture: "Check earlier refunds, and refund less."
        case .invalidFeed: "Check the file and its format."
        case .changedElsewhere: "Review the changes, then try again."
        case .validation: "Correct them and try again."
        case .unreachable: "Check the connection, then try again."
        case .untrustedServer: "Check the address before you continue."
        case .timedOut: "Check whether it was done before you try again."
        case .cancelled: nil
        case .serverFailed, .unexpected: "Try again; if it keeps failing, give the shop the request ID."
        case .unreadableAnswer: "Check that the address belongs to a Pouch server."
        case .outcomeUnknown: "Check whether it was done before you do it again."
        case .sessionStorage, .localStore: "Free some space, and check that the file is writable."
        }
    }

    private static func sentence(_ text: String, _ parts: [String]) -> String {
        parts.isEmpty ? text + "." : text + ": " + parts.map { $0.trimmingSuffix(".") }.joined(separator: "; ") + "."
    }

    private static func text(_ shortfall: StockShortfall) -> String {
        "\(max(0, shortfall.available)) left of \(shortfall.sku)"
    }

    private static func text(_ change: CartChange) -> String? {
        guard let from = change.fromPrice, let to = change.toPrice else { return nil }
        return "\(change.sku) was \(from.decimal) and is \(to.text)"
    }

    private static func retryText(after wait: Duration?) -> String {
        guard let seconds = wait?.components.seconds else { return "Try again in a while." }
        let (count, unit) = seconds < 120 ? (seconds, "second") : ((seconds + 59) / 60, "minute")
        return "Try again in \(count) \(unit)\(count == 1 ? "" : "s")."
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
