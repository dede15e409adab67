import Foundation
import PouchEntities

extension DataError: LocalizedError {
    /// What happened, in one sentence for people; followed by a second one where a purchase is left open.
    public var errorDescription: String? {
        openPurchase == nil ? sentence : sentence + " The purchase may have been made."
    }

    private var sentence: String {
        switch reason {
        case .invalidCredentials: "The e-mail address or the password is wrong."
        case .emailTaken: "This e-mail address has an account already."
        case .tooManyAttempts: "There were too many failed attempts."
        case .notSignedIn: "Nobody is signed in."
        case .sessionEnded: "Your session has ended."
        case .forbidden: "This account may not do that."
        case .notFound: "The shop has nothing under that name."
        case .unknownSKU: "The shop has no such SKU."
        case .notOffered: "This shop only shows its catalogue here."
        case .listChanged: "The list has changed since its first page was read."
        case .outOfStock(let lines): Self.sentence("There is not enough in stock", lines.map(Self.text))
        case .priceChanged(let changes): Self.sentence("The price has changed", changes.compactMap(Self.text))
        case .cartEmpty: "The cart is empty."
        case .cartFull: "The cart has no room for another line."
        case .shippingRequired: "It is not known yet how and where to deliver."
        case .unknownShippingMethod: "The shop does not deliver in that way."
        case .locationRequired: "This way of delivery needs a location."
        case .emailRequired: "A guest has to give an e-mail address."
        case .discountInvalid: "The discount code is not valid."
        case .discountExpired: "The discount code has expired."
        case .discountExhausted: "The discount code has been used up."
        case .paymentDeclined(let code): "The payment was declined" + (code.map { " (\($0))." } ?? ".")
        case .paymentProviderFailed: "The payment provider failed; nothing was charged."
        case .stillRunning: "An earlier try of this is still under way."
        case .keyReused: "This key was used for something else."
        case .notCancellable: "This can no longer be cancelled."
        case .deliverySettled: "The way of delivery can no longer be changed."
        case .rideInProgress: "You have another ride under way."
        case .quoteExpired: "The quote has expired."
        case .quoteMismatch: "The quote is for another trip."
        case .rideNotCompleted: "The ride is not completed."
        case .codeTaken: "Another discount has this code."
        case .stockNegative: Self.sentence("There are not so many units", detail.map { [$0] } ?? [])
        case .notFulfillable: "The order cannot be sent as it stands."
        case .notDeliverable: "The order cannot be delivered as it stands."
        case .refundExceedsCapture: "There is not so much left of the charge."
        case .invalidFeed: Self.sentence("The file cannot be imported", detail.map { [$0] } ?? [])
        case .changedElsewhere: "Somebody else has changed this meanwhile."
        case .validation(let fields): Self.sentence("Some fields are not right", fields.map(\.detail))
        case .unreachable: "The server cannot be reached."
        case .untrustedServer: "The server could not prove who it is."
        case .timedOut: "The server did not answer in time."
        case .cancelled: "This was cancelled."
        case .busy: "The server has too much to do."
        case .serverFailed: "Something went wrong on the server."
        case .unreadableAnswer: "The answer does not look like one of this shop."
        case .outcomeUnknown: "It is not known whether this was done."
        case .sessionStorage: "The session cannot be kept on this device."
        case .localStore: "What the shop keeps on this device cannot be read or written."
        case .unexpected: detail ?? "Something unexpected happened."
        }
    }

    /// What to do next, in one sentence for people.
    public var recoverySuggestion: String? {
        switch reason {
        case .notSignedIn, .sessionEnded, .forbidden: "Sign in and try again."
        case _ where openPurchase != nil: "Look at your orders before you buy again."
        case .invalidCredentials: "Check both, or make an account."
        case .emailTaken: "Sign in, or use another address."
        case .tooManyAttempts(let wait), .busy(let wait), .stillRunning(let wait): Self.wait(wait)
        case .notOffered: "Ask the shop where to buy."
        case .notFound, .unknownSKU: "Look through the catalogue for what there is."
        case .listChanged: "Read it from its beginning."
        case .outOfStock: "Take fewer, or something else."
        case .priceChanged: "Look at the new total; nothing was charged."
        case .cartEmpty: "Put something into it first."
        case .cartFull: "Remove a line, or check out first."
        case .shippingRequired: "Choose a way of delivery and an address."
        case .unknownShippingMethod: "Choose one that is offered for the address."
        case .locationRequired: "Give one, or choose another way of delivery."
        case .emailRequired: "Give one, or sign in."
        case .discountInvalid, .discountExpired, .discountExhausted: "Go on without it, or use another."
        case .paymentDeclined: "Pay with another card; nothing was ordered."
        case .paymentProviderFailed: "Try again in a while."
        case .keyReused: "Take a new key for another request."
        case .notCancellable: "Look at how far it is."
        case .deliverySettled: "Look at the order for how it is delivered."
        case .rideInProgress: "Wait until it ends, or cancel it."
        case .quoteExpired, .quoteMismatch: "Ask for a new quote."
        case .rideNotCompleted: "Look at how far it is; the receipt comes at the end."
        case .codeTaken: "Change that one, or choose another code."
        case .stockNegative: "Take fewer away; what orders hold has to stay."
        case .notFulfillable, .notDeliverable: "Look at how far it is."
        case .refundExceedsCapture: "Look at what was given back already, and take less."
        case .invalidFeed: "Check the file and its format."
        case .changedElsewhere: "Look at it again, then repeat what you did."
        case .validation: "Correct them and try again."
        case .unreachable: "Check the connection, then try again."
        case .untrustedServer: "Check the address; do not go on before it is right."
        case .timedOut: "Try again; look first whether it was done."
        case .cancelled: nil
        case .serverFailed, .unexpected: "Try again; if it stays, tell the shop the request's id."
        case .unreadableAnswer: "Check that the address is a Pouch server's."
        case .outcomeUnknown: "Look whether it was done before you do it again."
        case .sessionStorage, .localStore: "Make room, and check that the file may be written."
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
        return "\(change.sku) was \(from.decimal) and is \(to.decimal) \(to.currency.code)"
    }

    private static func wait(_ duration: Duration?) -> String {
        guard let duration else { return "Try again in a while." }
        return "Try again in \(duration.components.seconds) s."
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
