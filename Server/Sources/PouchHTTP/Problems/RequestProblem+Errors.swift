import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire

extension RequestProblem {
    /// Translates what the layers below throw.
    ///
    /// - Returns: nil for an error that none of them announces, which is ours and tells nothing outside.
    init?(_ error: any Error) {
        switch error {
        case let error as RequestProblem: self = error
        case let error as DomainError: self.init(domain: error)
        case let error as StrictJSON.Failure: self.init(json: error)
        case let error as QueryProblem:
            self.init(.invalidQuery, error.detail)
            fields = [FieldProblem(field: error.name, code: "invalid", detail: error.detail)]
        case let error as CatalogQueryError:
            switch error {
            case .positionExpired:
                self.init(.cursorExpired, "The catalogue has changed; begin again with the first page.")
            case .positionMismatch:
                self.init(.invalidCursor, "The cursor was made for another query.")
            }
        case let error as OverloadError:
            self.init(.overloaded, "Try again in a moment.")
            retryAfterSeconds = error.retryAfterSeconds
        case is UnavailableError:
            self.init(.unavailable, "The database cannot be reached; try again in a moment.")
            retryAfterSeconds = 1
        case is CommitUnknownError:
            self.init(
                .unavailable,
                "Whether this took effect is not known. Repeat it with the same Idempotency-Key, or look before you do."
            )
            retryAfterSeconds = 1
        case is NIOTooManyBytesError:
            self.init(.bodyTooLarge, "The body may have up to \(Limits.bodyBytes) bytes.")
        case let error as HTTPError where error.status == .notFound:
            self.init(.notFound)
        case let error as HTTPError where error.status.kind == .clientError:
            self.init(.invalidRequest)
        default: return nil
        }
    }

    private init(json failure: StrictJSON.Failure) {
        self.init(failure.code)
        switch failure {
        case .tooDeep: detail = "The JSON may have up to \(Limits.jsonDepth) levels."
        case .malformed: detail = "The body cannot be read as JSON."
        case .fields(let problems):
            fields = problems
            detail = problems.first?.detail
        }
    }

    private init(domain error: DomainError) {
        switch error {
        case .invalid(let problems):
            self.init(.validationFailed, problems.map(\.detail).joined(separator: " "))
            fields = problems.map {
                FieldProblem(field: $0.field, code: $0.reason.rawValue, detail: $0.detail)
            }
        case .emailTaken: self.init(.emailTaken, "Sign in instead, or use another address.")
        case .invalidCredentials: self.init(.invalidCredentials)
        case .tooManyAttempts(let seconds):
            self.init(.tooManyAttempts, "Try again in \(seconds) seconds.")
            retryAfterSeconds = seconds
        case .unauthenticated: self.init(.unauthenticated, "The token is not valid, or its session has ended.")
        case .tokenExpired: self.init(.tokenExpired, "Exchange the refresh token for a new pair, or sign in again.")
        case .tokenReused: self.init(.tokenReused, "The session has been ended for safety; sign in again.")
        case .forbidden: self.init(.forbidden)
        case .notFound: self.init(.notFound)
        case .limitReached: self.init(.limitReached)
        case .unknownSKU(let sku): self.init(.unknownSKU, "There is no SKU \(sku.prefix(80)).")
        case .outOfStock(let short):
            self.init(.outOfStock, short.map { "Of \($0.sku) there are \($0.available) left." }.joined(separator: " "))
            lines = short
        case .cartFull: self.init(.cartFull, "A cart may have up to \(ModelLimits.lines) lines.")
        case .cartEmpty: self.init(.cartEmpty)
        case .versionConflict: self.init(.versionConflict, "Read it again and repeat the change.")
        case .shippingRequired: self.init(.shippingRequired, "Choose a shipping method and give an address.")
        case .unknownShippingMethod: self.init(.unknownShippingMethod)
        case .emailRequired: self.init(.emailRequired)
        case .discountInvalid: self.init(.discountInvalid)
        case .discountExpired: self.init(.discountExpired)
        case .discountExhausted: self.init(.discountExhausted)
        case .priceChanged(let found):
            self.init(.priceChanged, "Nothing was charged. Look at the new total and try again.")
            changes = found
        case .paymentDeclined(let reason):
            self.init(.paymentDeclined, "Nothing was charged. Try another card.")
            declineCode = reason
        case .paymentProviderFailed: self.init(.paymentProviderError)
        case .notCancellable: self.init(.notCancellable)
        case .refundExceedsCapture: self.init(.refundExceedsCapture)
        case .codeTaken: self.init(.codeTaken, "Change that one, or choose another code.")
        case .stockNegative(let available):
            self.init(.stockNegative, "Of those that no order holds there are \(available).")
        case .notFulfillable: self.init(.notFulfillable, "Only an order that is paid can be sent.")
        case .notDeliverable: self.init(.notDeliverable, "Only an order that was sent can be delivered.")
        case .locationRequired: self.init(.locationRequired, "Give the address a location.")
        case .deliverySettled: self.init(.deliverySettled)
        case .rideInProgress: self.init(.rideInProgress, "Wait until it ends, or cancel it.")
        case .quoteExpired: self.init(.quoteExpired, "Ask for a new one.")
        case .quoteMismatch:
            self.init(.quoteMismatch, "Send it with the waypoints and the option that it was given for.")
        case .rideNotCompleted: self.init(.rideNotCompleted, "There is a receipt once it is.")
        case .idempotencyKeyReused: self.init(.idempotencyKeyReused, "Take a new key for another request.")
        case .idempotencyKeyInUse:
            self.init(.idempotencyKeyInUse)
            retryAfterSeconds = 1
        }
    }
}
