import Foundation
import PouchEntities

extension DataError: LocalizedError {
    /// A sentence for the user about what happened, or one for each invalid field. Another follows if the outcome of a
    /// purchase is unknown.
    public var errorDescription: String? {
        if openPurchase != nil { return texts.sentence + " The purchase may have gone through." }
        return wasNeverSent ? texts.sentence + " Nothing was sent." : texts.sentence
    }

    /// A sentence for the user about what to do next.
    public var recoverySuggestion: String? {
        switch reason {
        case .notSignedIn, .sessionEnded, .forbidden: texts.advice
        case _ where openPurchase != nil: "Check your orders before you buy again."
        default: texts.advice
        }
    }

    /// The error in one sentence, and the next step in another.
    private var texts: (sentence: String, advice: String?) {
        switch reason {
        case .invalidCredentials: ("The e-mail address or password is wrong.", "Check both, or create an account.")
        case .wrongPassword: ("The current password is wrong.", "Try again, or reset it by e-mail.")
        case .secondFactorRequired:
            ("This account also requires a code.", "Enter the code from your authenticator app.")
        case .secondFactorInvalid:
            ("The code is wrong or was already used.", "Wait for the next code, or use a recovery code.")
        case .secondFactorEnabled:
            ("This account already has a second factor.", "Remove it before you set up another.")
        case .secondFactorNeeded: ("Staff of this shop need a second factor.", "Set one up for your account first.")
        case .freshSignInRequired: ("This needs a fresh sign-in.", "Confirm your password and try again.")
        case .apiKeyInvalid: ("The API key is unknown, expired or revoked.", "Use another key.")
        case .lastOwner: ("The shop needs an owner.", "Make another member an owner first.")
        case .emailTaken: ("This e-mail address already has an account.", "Sign in, or use another address.")
        case .alreadyVerified: ("The e-mail address is already verified.", "You do not need to do anything.")
        case .emailUnverified:
            ("Verify your e-mail address first.", "Open the link in the shop's e-mail, or request a new one.")
        case .tooManyAttempts(let wait): ("Too many attempts.", Self.retryText(after: wait))
        case .notSignedIn: ("You are not signed in.", "Sign in and try again.")
        case .sessionEnded: ("Your session has ended.", "Sign in and try again.")
        case .forbidden:
            (
                Self.sentences("You do not have permission to do this.", detail),
                "Sign in with an account that has permission."
            )
        case .notFound: ("Not found.", "Check the name or number, then try again.")
        case .unknownSKU: ("The shop does not sell this SKU.", "Check the SKU, or browse the catalogue.")
        case .notOffered: ("The shop does not offer this here.", "Ask the shop where it is available.")
        case .listChanged: ("The list has changed since you opened it.", "Reload the list.")
        case .outOfStock(let lines):
            (
                Self.sentence("Not enough in stock", lines.map(Self.text)),
                "Reduce the quantity, or choose another product."
            )
        case .notForSale(let lines):
            (
                Self.sentence("The shop no longer sells this", lines.map(\.sku)),
                "Remove it from the cart, or choose another product."
            )
        case .priceChanged(let changes):
            (
                Self.sentence("The price has changed", changes.compactMap(Self.text)),
                "Check the new total; nothing was charged."
            )
        case .cartEmpty: ("The cart is empty.", "Add a product first.")
        case .cartFull: ("The cart is full.", "Remove a line, or check out first.")
        case .shippingRequired:
            ("The shipping method or the address is missing.", "Choose a shipping method and an address.")
        case .unknownShippingMethod:
            ("This shipping method is not available for the address.", "Choose one of the available methods.")
        case .locationRequired:
            ("This shipping method needs a location.", "Add a location, or choose another shipping method.")
        case .emailRequired: ("Guests must provide an e-mail address.", "Enter one, or sign in.")
        case .discountInvalid: ("The discount code is not valid.", "Continue without it, or use another.")
        case .discountExpired: ("The discount code has expired.", "Continue without it, or use another.")
        case .discountExhausted: ("The discount code has been used up.", "Continue without it, or use another.")
        case .paymentDeclined(let code):
            ("The payment was declined" + (code.map { " (\($0))." } ?? "."), "Use another card; nothing was ordered.")
        case .paymentProviderFailed:
            ("The payment could not be processed; nothing was charged.", "Try again in a while.")
        case .stillRunning(let wait): ("An earlier attempt is still in progress.", Self.retryText(after: wait))
        case .keyReused: ("This idempotency key was already used for another request.", "Use a new key.")
        case .notCancellable: ("This can no longer be cancelled.", "Check its status.")
        case .deliverySettled:
            ("The shipping method can no longer be changed.", "Check the order for its shipping method.")
        case .linkInvalid:
            (
                "The link is invalid, has expired or was already used.",
                "Copy the whole link from the latest e-mail, or request a new one."
            )
        case .linkExpired: ("The link has expired.", "Use the link in a later e-mail, or contact the shop.")
        case .rideInProgress: ("You already have a ride in progress.", "Wait until it ends, or cancel it.")
        case .quoteExpired: ("The price has expired.", "Request a new price.")
        case .quoteMismatch: ("The price is for another trip.", "Request a new price.")
        case .eventsMissed: ("The event is no longer available.", "Start with the oldest available event.")
        case .rideNotCompleted: ("The ride is not completed yet.", "Wait until it ends to see the receipt.")
        case .statusConflict:
            (Self.sentences("The product's status does not allow this.", detail), "Check its status first.")
        case .handleTaken: ("Another product already has this handle.", "Choose another handle.")
        case .skuTaken: ("Another product has or had this SKU.", "Choose another SKU.")
        case .stillUsed: ("Some products still belong to it.", "Move these products first.")
        case .invalidPicture: (Self.sentences("The picture cannot be used.", detail), "Choose another file.")
        case .codeTaken: ("Another discount already has this code.", "Change that discount, or choose another code.")
        case .stockNegative:
            (
                Self.sentences("Not enough available units.", detail),
                "Remove fewer; units held for orders cannot be removed."
            )
        case .notFulfillable: ("The order cannot be shipped in its current state.", "Check its status.")
        case .notDeliverable: ("The order cannot be delivered in its current state.", "Check its status.")
        case .refundExceedsCapture:
            ("The refund exceeds the refundable amount.", "Check earlier refunds, and refund less.")
        case .invalidFeed:
            (Self.sentences("The file cannot be imported.", detail), "Check the file and its format.")
        case .limitReached:
            ("The list has reached its limit.", "Delete an entry that you no longer need, then try again.")
        case .changedElsewhere:
            ("Someone else has changed this since you opened it.", "Review the changes, then try again.")
        case .validation(let fields):
            (
                fields.isEmpty ? "The input is invalid." : Self.sentences(fields.map(\.detail)),
                fields.count > 1 ? "Correct them and try again." : "Correct it and try again."
            )
        case .unreachable: ("The server cannot be reached.", adviceToTryAgain("Check the connection, then try again."))
        case .connectionLost:
            ("The connection to the server was lost.", adviceToTryAgain("Check the connection, then try again."))
        case .untrustedServer: ("The server's certificate is not trusted.", "Check the address before you continue.")
        case .noTLS:
            ("The server does not speak TLS on this port.", "Use http:// instead of https://, or another port.")
        case .noHTTP:
            ("The server does not speak HTTP on this port.", "If it speaks TLS, use https:// instead of http://.")
        case .invalidAddress:
            ("This is not the address of a server.", "It must start with http:// or https:// and name a host.")
        case .timedOut: ("The server did not answer in time.", adviceToTryAgain("Try again."))
        case .cancelled: ("This was cancelled.", nil)
        case .busy(let wait): ("The server is busy.", Self.retryText(after: wait))
        case .serverFailed:
            ("Something went wrong on the server.", adviceAfterFailure)
        case .unreadableAnswer:
            (
                "The server sent an unexpected response.",
                "Check the shop's address, and whether the network requires you to sign in; then try again."
            )
        case .outcomeUnknown:
            ("It is not known whether this was completed.", "Check whether it was completed before you try again.")
        case .sessionStorage:
            (
                "The session could not be stored on this device.",
                "Free some space, and check that the app's folder is writable."
            )
        case .localStore:
            (
                "The shop's data on this device cannot be read or written.",
                "Free some space, and check that the app's folder is writable."
            )
        case .fileStorage:
            ("The file could not be saved.", "Free some space, and check that its folder exists and is writable.")
        case .unexpected:
            (
                detail ?? "The request failed for an unknown reason.",
                adviceAfterFailure
            )
        }
    }

    private func adviceToTryAgain(_ advice: String) -> String {
        mayHaveTakenEffect ? "Check first whether your change was saved, then try again." : advice
    }

    /// Only a response from the shop has an id.
    private var adviceAfterFailure: String {
        requestId == nil
            ? "Try again later; if it keeps failing, contact the shop."
            : "Try again; if it keeps failing, contact the shop with the request ID."
    }

    private static func sentence(_ text: String, _ parts: [String]) -> String {
        parts.isEmpty ? text + "." : text + ": " + parts.joined(separator: "; ") + "."
    }

    private static func sentences(_ text: String, _ detail: String?) -> String {
        sentences([text, detail].compactMap { $0 })
    }

    private static func sentences(_ parts: [String]) -> String {
        parts.map { $0.hasSuffix(".") ? $0 : $0 + "." }.joined(separator: " ")
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
