import Foundation
import PouchEntities

extension DataError: LocalizedError {
    /// One sentence for people about what happened, or one for each invalid field. Another follows where a purchase is
    /// left open.
    public var errorDescription: String? {
        if openPurchase != nil { return texts.sentence + " The purchase may have been made." }
        return wasNeverSent ? texts.sentence + " Nothing was sent." : texts.sentence
    }

    /// One sentence for people about what to do next.
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
        case .invalidCredentials: ("The e-mail address or the password is wrong.", "Check both, or create an account.")
        case .wrongPassword: ("The current password is wrong.", "Enter it again, or ask for a mail to set a new one.")
        case .secondFactorRequired:
            ("This account needs a code besides the password.", "Enter the code of your authenticator app.")
        case .secondFactorInvalid:
            ("The code is wrong or was used before.", "Wait for the next code, or use a recovery code.")
        case .secondFactorEnabled:
            ("This account has a second factor already.", "Remove it before you set up another.")
        case .secondFactorMissing: ("Staff of this shop need a second factor.", "Set one up for your account first.")
        case .freshSignInRequired: ("This needs a fresh sign-in.", "Confirm your password and try again.")
        case .apiKeyInvalid: ("The API key is unknown, expired or revoked.", "Use another key.")
        case .lastOwner: ("The shop needs an owner.", "Make another member an owner first.")
        case .emailTaken: ("This e-mail address already has an account.", "Sign in, or use another address.")
        case .alreadyVerified: ("The e-mail address is verified already.", "There is nothing left to do.")
        case .emailUnverified:
            ("The shop asks for a verified e-mail address first.", "Open the link in its mail, or ask for another one.")
        case .tooManyAttempts(let wait): ("There were too many attempts.", Self.retryText(after: wait))
        case .notSignedIn: ("You are not signed in.", "Sign in and try again.")
        case .sessionEnded: ("Your session has ended.", "Sign in and try again.")
        case .forbidden:
            (Self.sentences("You may not do that.", detail), "Sign in with an account that has the permission.")
        case .notFound: ("The shop could not find it.", "Check the name or the number, then try again.")
        case .unknownSKU: ("The shop does not sell this SKU.", "Check the SKU, or browse the catalogue.")
        case .notOffered: ("The shop does not offer this here.", "Ask the shop where it does.")
        case .listChanged: ("The list has changed since you opened it.", "Open it again from the start.")
        case .outOfStock(let lines):
            (Self.sentence("There is not enough in stock", lines.map(Self.text)), "Choose fewer, or another product.")
        case .notForSale(let lines):
            (
                Self.sentence("The shop no longer sells this", lines.map(\.sku)),
                "Take it out of the cart, or choose another product."
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
            ("This shipping method is not available for the address.", "Choose one of the methods that are offered.")
        case .locationRequired:
            ("This shipping method needs a location.", "Give a location, or choose another shipping method.")
        case .emailRequired: ("A guest has to give an e-mail address.", "Enter one, or sign in.")
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
                "The link is not valid, has expired, or was used.",
                "Copy the whole link of the latest mail, or ask for another."
            )
        case .linkExpired: ("The link has expired.", "Use the link of a later mail, or ask the shop.")
        case .rideInProgress: ("You already have a ride in progress.", "Wait until it ends, or cancel it.")
        case .quoteExpired: ("The quote has expired.", "Ask for a new quote.")
        case .quoteMismatch: ("The quote is for another trip.", "Ask for a new quote.")
        case .eventsMissed:
            ("The shop does not keep this event any longer.", "Begin with the oldest event that it keeps.")
        case .rideNotCompleted: ("The ride has not been completed yet.", "Wait until it ends to see the receipt.")
        case .statusConflict:
            (Self.sentences("The product's status does not allow that.", detail), "Check its status first.")
        case .handleTaken: ("Another product already has this handle.", "Choose another handle.")
        case .skuTaken: ("Another product has or had this SKU.", "Choose another SKU.")
        case .stillUsed: ("Products still belong to it.", "Move them first.")
        case .invalidPicture: (Self.sentences("The picture cannot be used.", detail), "Choose another file.")
        case .codeTaken: ("Another discount already has this code.", "Change that one, or choose another code.")
        case .stockNegative:
            (
                Self.sentences("There are not enough unreserved units.", detail),
                "Remove fewer; units that orders hold have to stay."
            )
        case .notFulfillable: ("The order cannot be shipped in its current state.", "Check its status.")
        case .notDeliverable: ("The order cannot be delivered in its current state.", "Check its status.")
        case .refundExceedsCapture:
            ("The refund exceeds what is left of the charge.", "Check earlier refunds, and refund less.")
        case .invalidFeed:
            (Self.sentences("The file cannot be imported.", detail), "Check the file and its format.")
        case .changedElsewhere:
            ("Someone else has changed this since you opened it.", "Review the changes, then try again.")
        case .validation(let fields):
            (
                fields.isEmpty ? "The input is invalid." : Self.sentences(fields.map(\.detail)),
                fields.count > 1 ? "Correct them and try again." : "Correct it and try again."
            )
        case .unreachable: ("The server cannot be reached.", adviceToTryAgain("Check the connection, then try again."))
        case .connectionLost:
            ("The connection to the server broke.", adviceToTryAgain("Check the connection, then try again."))
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
                "The answer is not one that the shop gives.",
                "Check whether the network asks you to sign in, and the shop's address; then try again."
            )
        case .outcomeUnknown:
            ("It is not known whether this was done.", "Check whether it was done before you do it again.")
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
        leavesOutcomeOpen ? "Check first whether your change was saved, then try again." : advice
    }

    /// Only an answer of the shop has an id.
    private var adviceAfterFailure: String {
        requestId == nil
            ? "Try again later; if it keeps failing, tell the shop."
            : "Try again; if it keeps failing, give the shop the request ID."
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
