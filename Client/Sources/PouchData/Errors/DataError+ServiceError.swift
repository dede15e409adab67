import PouchContract
import PouchJSON
import PouchService
import PouchWire

extension DataError {
    init(_ error: ServiceError) {
        self.init(
            Reason(error), requestId: error.requestId, detail: error.problem?.detail, log: error.description,
            reach: error.reach)
    }
}

extension DataError.Reason {
    fileprivate init(_ error: ServiceError) {
        switch error.reason {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .unreachable: self = .unreachable
        case .connectionLost: self = .connectionLost
        case .untrusted: self = .untrustedServer
        case .noTLS: self = .noTLS
        case .noHTTP: self = .noHTTP
        case .invalidAddress: self = .invalidAddress
        case .failed: self = .unexpected(code: nil)
        case .refused: self.init(refusal: error)
        case .unreadable: self.init(foreign: error)
        case .sessionEnded: self = .sessionEnded
        case .notSignedIn: self = .notSignedIn
        case .storage: self = .sessionStorage
        case .file: self = .fileStorage
        }
    }

    private init(refusal error: ServiceError) {
        guard let problem = error.problem else {
            // A server of plain files.
            switch error.status {
            case 401, 403: self = .forbidden
            case 404, 410: self = .notFound
            default: self.init(foreign: error)
            }
            return
        }
        let details = try? ProblemDetails(json: error.body)
        switch problem.code {
        case .invalidCredentials: self = .invalidCredentials
        case .secondFactorRequired: self = .secondFactorRequired
        case .secondFactorInvalid: self = .secondFactorInvalid
        case .secondFactorEnabled: self = .secondFactorEnabled
        case .secondFactorNeeded: self = .secondFactorNeeded
        case .freshSignInRequired: self = .freshSignInRequired
        case .apiKeyInvalid: self = .apiKeyInvalid
        case .lastOwner: self = .lastOwner
        case .emailTaken: self = .emailTaken
        case .alreadyVerified: self = .alreadyVerified
        case .emailUnverified: self = .emailUnverified
        case .tooManyAttempts, .tooManyRequests: self = .tooManyAttempts(retryAfter: error.retryAfter)
        case .unauthenticated, .tokenExpired, .tokenReused: self = .sessionEnded
        case .forbidden: self = .forbidden
        case .notFound: self = .notFound
        case .unknownSKU: self = .unknownSKU
        case .invalidCursor, .cursorExpired: self = .listChanged
        case .unknownEvent, .eventExpired: self = .eventsMissed
        case .outOfStock: self = .outOfStock(details?.lines ?? [])
        case .notForSale: self = .notForSale(details?.lines ?? [])
        case .priceChanged: self = .priceChanged(details?.changes ?? [])
        case .cartEmpty: self = .cartEmpty
        case .cartFull: self = .cartFull
        case .shippingRequired: self = .shippingRequired
        case .unknownShippingMethod: self = .unknownShippingMethod
        case .locationRequired: self = .locationRequired
        case .emailRequired: self = .emailRequired
        case .discountInvalid: self = .discountInvalid
        case .discountExpired: self = .discountExpired
        case .discountExhausted: self = .discountExhausted
        case .paymentDeclined: self = .paymentDeclined(code: details?.declineCode)
        case .paymentProviderError: self = .paymentProviderFailed
        case .idempotencyKeyInUse: self = .stillRunning(retryAfter: error.retryAfter)
        case .idempotencyKeyReused: self = .keyReused
        case .notCancellable: self = .notCancellable
        case .deliverySettled: self = .deliverySettled
        case .linkInvalid: self = .linkInvalid
        case .linkExpired: self = .linkExpired
        case .rideInProgress: self = .rideInProgress
        case .quoteExpired: self = .quoteExpired
        case .quoteMismatch: self = .quoteMismatch
        case .rideNotCompleted: self = .rideNotCompleted
        case .codeTaken: self = .codeTaken
        case .statusConflict: self = .statusConflict
        case .handleTaken: self = .handleTaken
        case .skuTaken: self = .skuTaken
        case .stillUsed: self = .stillUsed
        case .invalidPicture: self = .invalidPicture
        case .stockNegative: self = .stockNegative
        case .notFulfillable: self = .notFulfillable
        case .notDeliverable: self = .notDeliverable
        case .refundExceedsCapture: self = .refundExceedsCapture
        case .invalidFeed: self = .invalidFeed
        case .limitReached: self = .limitReached
        case .versionConflict: self = .changedElsewhere
        case .validationFailed:
            self = .validation((problem.errors ?? []).map { InvalidField(field: $0.field, detail: $0.detail) })
        case .overloaded, .unavailable: self = .busy(retryAfter: error.retryAfter)
        case .internalError: self = .serverFailed
        default: self = .unexpected(code: problem.code.rawValue)
        }
    }

    /// The response is not from the server itself, so even a 404 says nothing about the call.
    private init(foreign error: ServiceError) {
        switch error.status ?? 0 {
        case 429, 502, 503, 504: self = .busy(retryAfter: error.retryAfter)
        case 500...: self = .serverFailed
        default: self = .unreadableAnswer
        }
    }
}

/// Makes a call that requires the current password of the signed-in account. The server refuses a wrong one with the
/// code of a failed sign-in.
func mappingWrongPassword(_ call: @autoclosure () async throws(DataError) -> Void) async throws(DataError) {
    do throws(DataError) {
        try await call()
    } catch {
        guard error.reason == .invalidCredentials else { throw error }
        throw DataError(
            .wrongPassword, requestId: error.requestId, detail: error.detail, log: error.log, reach: error.reach)
    }
}

func mappingServiceErrors<Value>(
    _ call: @autoclosure () async throws(ServiceError) -> Value
) async throws(DataError) -> Value {
    do throws(ServiceError) {
        return try await call()
    } catch {
        throw DataError(error)
    }
}

func mappingStoreErrors<Value>(
    _ call: @autoclosure () async throws(StoreError) -> Value
) async throws(DataError) -> Value {
    do throws(StoreError) {
        return try await call()
    } catch {
        throw DataError(error)
    }
}
