import Foundation
import PouchEntities
import PouchService

/// The reason why a call failed, in the terms of the model.
///
/// `errorDescription` and `recoverySuggestion` are for users, `description` is for logs:
///
///     do {
///         try await pouch.cart.add(sku: "71616-18-s")
///     } catch {
///         if case .outOfStock(let lines) = error.reason { suggest(lines) }
///         show(error.errorDescription, error.recoverySuggestion)
///     }
public struct DataError: Error, Sendable, Equatable {
    /// Later versions may add cases: a `switch` of another package needs an `@unknown default`.
    #if compiler(>=6.3)
        @nonexhaustive
    #endif
    public enum Reason: Sendable, Hashable {
        // Account
        case invalidCredentials
        /// A call of a signed-in account requires its current password, and the given one is wrong.
        case wrongPassword
        /// The password is correct, but the account also requires a code of its second factor.
        case secondFactorRequired
        /// The code of the second factor is wrong or was already used.
        case secondFactorInvalid
        /// The account already has a second factor.
        case secondFactorEnabled
        /// Staff of this shop need a second factor, and this account has none.
        case secondFactorNeeded
        /// The password was not confirmed recently. Call `AccountManager.confirm`, then repeat the call.
        case freshSignInRequired
        /// The API key is unknown, expired or revoked.
        case apiKeyInvalid
        case emailTaken
        case alreadyVerified
        /// The shop requires a verified e-mail address.
        case emailUnverified
        case tooManyAttempts(retryAfter: Duration?)
        /// There is no session, not even a guest's.
        case notSignedIn
        /// The server has ended the session, or another account has signed in.
        case sessionEnded
        case forbidden

        // Catalogue
        case notFound
        case unknownSKU
        /// The shop does not offer this: a feed has only a catalogue, and an app's own source may lack a method.
        case notOffered
        /// The cursor belongs to an earlier catalogue or another server. Read the list again from its first page.
        case listChanged

        // Cart and checkout
        case outOfStock([StockShortfall])
        /// These SKUs were withdrawn, or are not published yet.
        case notForSale([StockShortfall])
        case priceChanged([CartChange])
        case cartEmpty
        case cartFull
        case shippingRequired
        case unknownShippingMethod
        case locationRequired
        case emailRequired
        case discountInvalid
        case discountExpired
        case discountExhausted
        /// The payment provider's own code.
        case paymentDeclined(code: String?)
        /// Nothing was charged.
        case paymentProviderFailed
        /// An earlier attempt at the same purchase has not ended yet.
        case stillRunning(retryAfter: Duration?)
        /// The idempotency key belongs to another request.
        case keyReused
        case notCancellable
        /// The order's shipping method can no longer be changed.
        case deliverySettled
        case changedElsewhere
        /// The link from an e-mail, or its token, is incomplete, has expired or was already used, or its target no
        /// longer exists.
        case linkInvalid
        /// The link to an order has expired.
        case linkExpired

        // Rides
        /// The rider has another ride in progress.
        case rideInProgress
        case quoteExpired
        /// The quote is for another trip or option.
        case quoteMismatch
        case rideNotCompleted
        /// The event is unknown or no longer available, so that others may have been missed.
        case eventsMissed

        // Administration
        /// The shop would be left without an owner.
        case lastOwner
        /// Another discount has this code.
        case codeTaken
        /// The product's status does not allow the new one.
        case statusConflict
        case handleTaken
        case skuTaken
        /// Products still use the category, season or theme.
        case stillUsed
        case invalidPicture
        /// The change would remove units held for orders.
        case stockNegative
        case notFulfillable
        case notDeliverable
        case refundExceedsCapture
        /// The file cannot be read as a feed of its format.
        case invalidFeed
        /// The list already has as many entries as it may have, such as the addresses of an account.
        case limitReached

        case validation([InvalidField])

        // Connection and server
        /// There is no connection.
        case unreachable
        /// The connection was lost before the response was complete. A write may have taken effect.
        case connectionLost
        case untrustedServer
        /// The address is https, and the server does not speak TLS on this port.
        case noTLS
        /// The address is http, and the server does not speak HTTP on this port. It may speak TLS.
        case noHTTP
        /// The server's address is not http or https with a host.
        case invalidAddress
        case timedOut
        case cancelled
        case busy(retryAfter: Duration?)
        case serverFailed
        /// The response is not from a shop: another program in between responded, such as the sign-in page of a Wi-Fi
        /// network. The outcome is unknown.
        case unreadableAnswer

        /// An earlier attempt may have taken effect, and it is too late to find out by trying again.
        case outcomeUnknown

        // This device
        /// The session could not be saved on this device.
        case sessionStorage
        /// The local store cannot be read or written.
        case localStore
        /// A downloaded file could not be written.
        case fileStorage
        /// An error code that this version does not know; nil without a code.
        case unexpected(code: String?)
    }

    public let reason: Reason
    /// The request's id in the server's log; nil if no response arrived.
    public let requestId: String?
    /// The server's explanation of this case, for users.
    public let detail: String?
    /// One line for logs, without secrets.
    public let log: String
    /// The purchase whose outcome is unknown. It may have gone through; it is stored with its key, so that it can be
    /// resumed.
    public internal(set) var openPurchase: UnresolvedPurchase?
    /// The part of the call that may have reached the server.
    package var sendState: ServiceError.SendState

    public init(_ reason: Reason, requestId: String? = nil, detail: String? = nil, log: String = "") {
        self.init(reason, requestId: requestId, detail: detail, log: log, sendState: reason.defaultSendState)
    }

    package init(
        _ reason: Reason, requestId: String? = nil, detail: String? = nil, log: String = "",
        sendState: ServiceError.SendState
    ) {
        self.reason = reason
        self.requestId = requestId
        self.detail = detail
        self.log = log
        self.sendState = sendState
    }

    public init(_ error: StoreError) {
        self.init(error.reason == .listChanged ? .listChanged : .localStore, log: error.description)
    }

    /// Whether a write may have taken effect although it failed, so that it is safe to repeat only with the same
    /// idempotency key. False if no attempt was sent, because the server could not be reached or was not trusted, or
    /// because there was no session. An earlier process may have sent a write with a caller's key.
    public var mayHaveTakenEffect: Bool {
        if openPurchase != nil { return true }
        return switch sendState {
        case .readOnly, .notSent, .precedingWrite: false
        case .singleAttempt: reason.isUndecided
        case .earlierAttempt: !rulesOutEarlierAttempts
        case .sentByEarlierCall: true
        }
    }

    /// Whether the shop itself has refused this write, so that no earlier attempt with the same key took effect. Some
    /// refusals rule out nothing: the shop checks the session before the key, and a gateway does not ask the shop.
    var rulesOutEarlierAttempts: Bool {
        guard !reason.isUndecided, requestId != nil, !endedBeforeSending else { return false }
        return switch reason {
        case .sessionEnded, .notSignedIn, .forbidden, .apiKeyInvalid, .freshSignInRequired, .secondFactorNeeded,
            .tooManyAttempts, .unexpected:
            false
        default: true
        }
    }

    /// Whether a write failed without being sent, for lack of a connection or a session.
    package var wasNeverSent: Bool { sendState == .notSent && reason.isUndecided }

    /// Whether the write itself was not sent.
    var endedBeforeSending: Bool { sendState == .notSent || sendState == .precedingWrite }

    /// The error of a step that precedes a write.
    package var beforeSending: DataError {
        var error = self
        error.sendState = mayHaveTakenEffect || sendState == .precedingWrite ? .precedingWrite : .notSent
        return error
    }

    /// The error of an attempt that had no effect, after one that may have taken effect.
    var afterEarlierCall: DataError {
        var error = self
        error.sendState = .sentByEarlierCall
        return error
    }

    /// Whether the server is unreachable, fails, or another program responds instead of it, so that a stored value is
    /// better than the error.
    package var isServerUnavailable: Bool {
        switch reason {
        case .cancelled, .stillRunning: false
        default: reason.isUndecided
        }
    }

    /// Whether the same call may succeed later.
    package var isTemporary: Bool {
        switch reason {
        case .cancelled, .stillRunning, .paymentProviderFailed, .tooManyAttempts: true
        default: isServerUnavailable
        }
    }
}

extension DataError.Reason {
    /// The stable name of the reason, without its values: the name of its case. `pouch` prints it with --json, and
    /// scripts rely on it, so a case that is renamed must keep its former name here. Needs the
    /// metadata for reflection, which a program has unless it is built without.
    public var code: String {
        // The mirror of a case with values has one child, labelled with the case. Without values, it has none.
        Mirror(reflecting: self).children.first?.label ?? "\(self)"
    }

    /// Whether the reason says nothing about the outcome of the call, because no response of the shop has decided it.
    package var isUndecided: Bool {
        switch self {
        case .unreachable, .connectionLost, .untrustedServer, .noTLS, .noHTTP, .timedOut, .cancelled, .busy,
            .serverFailed, .unreadableAnswer, .stillRunning:
            true
        case .unexpected(let code): code == nil
        default: false
        }
    }

    /// The part of the call that may have reached the server, if only the reason is known.
    fileprivate var defaultSendState: ServiceError.SendState {
        switch self {
        case .unreachable, .untrustedServer, .noTLS, .invalidAddress: .readOnly
        default: .singleAttempt
        }
    }
}

extension DataError: CustomStringConvertible {
    public var description: String {
        log.isEmpty ? "\(reason)" : "\(reason) (\(log))"
    }
}

/// A field that the server rejected.
public struct InvalidField: Sendable, Hashable {
    /// The field's path in the request, such as `address.city`.
    public let field: String
    /// A sentence for the user.
    public let detail: String

    public init(field: String, detail: String) {
        self.field = field
        self.detail = detail
    }
}
