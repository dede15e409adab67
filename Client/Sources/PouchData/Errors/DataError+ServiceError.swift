import PouchContract
import PouchJSON
import PouchService
import PouchWire

extension DataError {
    init(_ error: ServiceError) {
        self.init(
            Reason(error), requestId: error.requestId, detail: error.problem?.detail, log: error.description,
            sendState: error.sendState)
    }
}

extension DataError.Reason {
    fileprivate init(_ error: ServiceError) {
        switch error.reason {
        case .network(.cancelled): self = .cancelled
        case .network(.timedOut): self = .timedOut
        case .network(.unreachable): self = .unreachable
        case .network(.connectionLost): self = .connectionLost
        case .network(.untrusted): self = .untrustedServer
        case .network(.noTLS): self = .noTLS
        case .network(.noHTTP): self = .noHTTP
        case .network(.invalidAddress): self = .invalidAddress
        case .network: self = .unexpected(code: nil)
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
        if let reason = Self.plain[problem.code] {
            self = reason
            return
        }
        let details = try? ProblemDetails(json: error.body)
        switch problem.code {
        case .tooManyAttempts, .tooManyRequests: self = .tooManyAttempts(retryAfter: error.retryAfter)
        case .outOfStock: self = .outOfStock(details?.lines ?? [])
        case .notForSale: self = .notForSale(details?.lines ?? [])
        case .priceChanged: self = .priceChanged(details?.changes ?? [])
        case .paymentDeclined: self = .paymentDeclined(code: details?.declineCode)
        case .idempotencyKeyInUse: self = .stillRunning(retryAfter: error.retryAfter)
        case .validationFailed:
            self = .validation((problem.errors ?? []).map { InvalidField(field: $0.field, detail: $0.detail) })
        case .overloaded, .unavailable: self = .busy(retryAfter: error.retryAfter)
        default: self = .unexpected(code: problem.code.rawValue)
        }
    }

    /// The reasons without values, by the server's codes.
    private static let plain: [ProblemCode: Self] = [
        .invalidCredentials: .invalidCredentials, .secondFactorRequired: .secondFactorRequired,
        .secondFactorInvalid: .secondFactorInvalid, .secondFactorEnabled: .secondFactorEnabled,
        .secondFactorNeeded: .secondFactorNeeded, .freshSignInRequired: .freshSignInRequired,
        .apiKeyInvalid: .apiKeyInvalid, .lastOwner: .lastOwner, .emailTaken: .emailTaken,
        .alreadyVerified: .alreadyVerified, .emailUnverified: .emailUnverified, .unauthenticated: .sessionEnded,
        .tokenExpired: .sessionEnded, .tokenReused: .sessionEnded, .forbidden: .forbidden, .notFound: .notFound,
        .unknownSKU: .unknownSKU, .invalidCursor: .listChanged, .cursorExpired: .listChanged,
        .unknownEvent: .eventsMissed, .eventExpired: .eventsMissed, .cartEmpty: .cartEmpty, .cartFull: .cartFull,
        .shippingRequired: .shippingRequired, .unknownShippingMethod: .unknownShippingMethod,
        .locationRequired: .locationRequired, .emailRequired: .emailRequired, .discountInvalid: .discountInvalid,
        .discountExpired: .discountExpired, .discountExhausted: .discountExhausted,
        .paymentProviderError: .paymentProviderFailed, .idempotencyKeyReused: .keyReused,
        .notCancellable: .notCancellable, .deliverySettled: .deliverySettled, .linkInvalid: .linkInvalid,
        .linkExpired: .linkExpired, .rideInProgress: .rideInProgress, .quoteExpired: .quoteExpired,
        .quoteMismatch: .quoteMismatch, .rideNotCompleted: .rideNotCompleted, .codeTaken: .codeTaken,
        .statusConflict: .statusConflict, .handleTaken: .handleTaken, .skuTaken: .skuTaken, .stillUsed: .stillUsed,
        .invalidPicture: .invalidPicture, .stockNegative: .stockNegative, .notFulfillable: .notFulfillable,
        .notDeliverable: .notDeliverable, .refundExceedsCapture: .refundExceedsCapture, .invalidFeed: .invalidFeed,
        .limitReached: .limitReached, .versionConflict: .changedElsewhere, .internalError: .serverFailed,
    ]

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
            .wrongPassword, requestId: error.requestId, detail: error.detail, log: error.log,
            sendState: error.sendState)
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
