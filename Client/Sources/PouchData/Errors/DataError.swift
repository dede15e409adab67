import Foundation
import PouchEntities

/// Why something could not be done, in the model's own terms.
///
/// `errorDescription` and `recoverySuggestion` are for people, `description` is for logs.
public struct DataError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Hashable {
        // Account
        case invalidCredentials
        case emailTaken
        case tooManyAttempts(retryAfter: Duration?)
        /// Nobody is signed in, not even a guest.
        case notSignedIn
        /// Somebody was signed in, and the server ended it.
        case sessionEnded
        case forbidden

        // Catalogue
        case notFound
        case unknownSKU
        /// The shop is a feed, which shows its catalogue and no more.
        case notOffered
        /// The cursor is of an earlier catalogue or not the server's: the list has to be read from its beginning.
        case listChanged

        // Cart and checkout
        case outOfStock([StockShortfall])
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
        /// The code is the payment provider's own.
        case paymentDeclined(code: String?)
        /// Nothing was charged.
        case paymentProviderFailed
        /// An earlier try of the same purchase has not ended yet.
        case stillRunning(retryAfter: Duration?)
        /// The idempotency key belongs to another request.
        case keyReused
        case notCancellable
        /// No other way of delivery can be chosen for the order (any more).
        case deliverySettled
        case changedElsewhere

        // Rides
        /// The rider has another one under way.
        case rideInProgress
        case quoteExpired
        /// The quote is for another trip or option.
        case quoteMismatch
        case rideNotCompleted

        // Administration
        /// Another discount has the code.
        case codeTaken
        /// More units would go than are not held by orders.
        case stockNegative
        case notFulfillable
        case notDeliverable
        case refundExceedsCapture
        /// The file cannot be read as a feed of its format.
        case invalidFeed

        case validation([InvalidField])

        // Getting there and back
        case unreachable
        case untrustedServer
        case timedOut
        case cancelled
        case busy(retryAfter: Duration?)
        case serverFailed
        /// What came back is not what the server should say, so nothing is known of the outcome.
        case unreadableAnswer

        /// An earlier try may have had its effect, and it is too late to find out by trying again.
        case outcomeUnknown

        /// The session could not be kept on this device.
        case sessionStorage
        /// What is kept on this device cannot be read or written.
        case localStore
        /// An answer that this version knows no better name for.
        case unexpected(code: String?)
    }

    public let reason: Reason
    /// The request's name in the server's log; nil when no answer arrived.
    public let requestId: String?
    /// What the server says of this case, for people.
    public let detail: String?
    /// One line for logs, without secrets.
    public let log: String
    /// The purchase whose outcome this leaves open: it may have been made, and is kept with its key, to be resumed.
    public internal(set) var openPurchase: UnresolvedPurchase?

    public init(_ reason: Reason, requestId: String? = nil, detail: String? = nil, log: String = "") {
        self.reason = reason
        self.requestId = requestId
        self.detail = detail
        self.log = log
    }

    /// Whether a write may have had its effect although it failed, so that only the same idempotency key is safe.
    public var leavesOutcomeOpen: Bool {
        openPurchase != nil || reason.leavesOutcomeOpen
    }
}

extension DataError.Reason {
    fileprivate var leavesOutcomeOpen: Bool {
        switch self {
        case .unreachable, .timedOut, .cancelled, .busy, .serverFailed, .unreadableAnswer, .stillRunning:
            true
        case .unexpected(let code): code == nil
        default: false
        }
    }
}

extension DataError: CustomStringConvertible {
    public var description: String {
        log.isEmpty ? "\(reason)" : "\(reason) (\(log))"
    }
}
