import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchWire

/// The problem+json error response.
package struct RequestProblem: Error {
    package let code: ProblemCode
    /// One or two sentences for the user.
    package var detail: String?
    package var fields: [FieldProblem]?
    package var declineCode: String?
    package var lines: [StockShortfall]?
    package var changes: [CartChange]?
    package var retryAfterSeconds: Int?
    var headers: HTTPFields = [:]

    /// - Parameter fields: the problems of individual parts of the request.
    package init(
        _ code: ProblemCode, _ detail: String? = nil, _ fields: [FieldProblem]? = nil, retryAfterSeconds: Int? = nil
    ) {
        self.code = code
        self.detail = detail
        self.fields = fields
        self.retryAfterSeconds = retryAfterSeconds
    }

    /// - Parameter allowed: the path's methods, in the format of `Allow`.
    package init(allowing allowed: String) {
        self.init(.methodNotAllowed, "Allowed methods: \(allowed).")
        headers[.allow] = allowed
    }

    func details(requestId: String?) -> ProblemDetails {
        ProblemDetails(
            Problem(code, detail: detail, requestId: requestId, errors: fields),
            declineCode: declineCode, lines: lines, changes: changes)
    }

    package func response(requestId: String) -> Response {
        var headers = headers
        headers[.contentType] = Problem.mediaType
        headers[.cacheControl] = "no-store"
        if let retryAfterSeconds { headers[.retryAfter] = String(retryAfterSeconds) }
        if code.hasShouldRetry { headers[.shouldRetry] = code.shouldRetry ? "true" : "false" }
        if code.status == 401, headers[.wwwAuthenticate] == nil { headers[.wwwAuthenticate] = "Bearer" }
        // Encoding plain values cannot fail; if it did, the status would still be right.
        let body = (try? details(requestId: requestId).json()).map { ByteBuffer(bytes: $0) } ?? ByteBuffer()
        return Response(status: .init(code: code.status), headers: headers, body: .init(byteBuffer: body))
    }
}

// MARK: - Errors of the layers below

extension RequestProblem {
    /// - Returns: nil for an unexpected error, whose details the client does not see.
    package init?(_ error: any Error) {
        switch error {
        case let error as RequestProblem: self = error
        case let error as DomainError:
            self.init(domain: error)
            // RFC 6750 §3.1: the token is what is wrong.
            if [.unauthenticated, .tokenExpired, .apiKeyInvalid].contains(code) {
                headers[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
            }
        case let error as RideError: self.init(ride: error)
        case let error as JSONError: self.init(json: error)
        case let error as QueryProblem:
            self.init(
                .invalidQuery, error.detail,
                [FieldProblem(field: error.name, code: "invalid", detail: error.detail)])
        case CatalogQueryError.positionExpired:
            self.init(.cursorExpired, "The catalogue has changed. Start again with the first page.")
        case CatalogQueryError.positionMismatch:
            self.init(.invalidCursor, "The cursor belongs to a different query. Start with the first page.")
        case let error as OverloadError:
            self.init(.overloaded, "Try again in a moment.", retryAfterSeconds: error.retryAfterSeconds)
        case let error as UnavailableError:
            self.init(
                .unavailable,
                error.isFull
                    ? "The shop's disk is full, so nothing can be stored. Try again later."
                    : "The database is not available at the moment. Try again later.", retryAfterSeconds: 1)
        case is CommitUnknownError:
            self.init(
                .unavailable,
                "The change may or may not have been made. Repeat it with the same Idempotency-Key, or check first.",
                retryAfterSeconds: 1)
        case is NIOTooManyBytesError:
            self.init(.bodyTooLarge, "The body can have at most \(Limits.bodyBytes) bytes.")
        case is HTTPParserError: self.init(.invalidRequest, "The body ends early or is not valid HTTP.")
        case let error as HTTPError where error.status == .notFound:
            self.init(.notFound)
        case let error as HTTPError where error.status.kind == .clientError:
            self.init(.invalidRequest)
        default: return nil
        }
    }

    private init(json failure: JSONError) {
        self.init(failure.code)
        switch failure {
        case .tooDeep: detail = "The JSON can have at most \(JSONRules.request.depth) levels."
        case .malformed: detail = "The body is not valid JSON."
        case .fields:
            fields = failure.fieldProblems
            detail = fields?.first?.detail
        }
    }

    private init(domain error: DomainError) {
        switch error {
        case .invalid(let problems):
            self.init(
                .validationFailed, problems.map(\.detail).joined(separator: " "),
                problems.map { FieldProblem(field: $0.field, code: $0.reason.rawValue, detail: $0.detail) })
        case .emailTaken: self.init(.emailTaken, "Sign in instead, or use another e-mail address.")
        case .invalidCredentials: self.init(.invalidCredentials)
        case .wrongPassword: self.init(.invalidCredentials, "The current password is wrong.")
        case .secondFactorRequired: self.init(.secondFactorRequired, "Repeat the request with the field “code”.")
        case .secondFactorInvalid: self.init(.secondFactorInvalid, "Wait for the next code, or use a recovery code.")
        case .secondFactorEnabled:
            self.init(.secondFactorEnabled, "Remove the second factor before you set up another.")
        case .secondFactorNeeded: self.init(.secondFactorNeeded, "Set up a second factor for your account first.")
        case .apiKeyInvalid: self.init(.apiKeyInvalid, "Use another API key.")
        case .forbidden(let reason): self.init(.forbidden, reason)
        case .freshSignInRequired:
            self.init(.freshSignInRequired, "Confirm your password, then send the request again.")
        case .lastOwner: self.init(.lastOwner, "Make another staff member an owner first.")
        case .tooManyAttempts(let seconds):
            self.init(.tooManyAttempts, "Try again in \(Self.duration(seconds)).", retryAfterSeconds: seconds)
        case .tooManyDeclines(let seconds):
            self.init(
                .tooManyAttempts,
                "Too many payments were declined. Nothing was charged. Try again in \(Self.duration(seconds)).",
                retryAfterSeconds: seconds)
        case .tooManyRequests(let seconds):
            self.init(.tooManyRequests, "Try again in \(Self.duration(seconds)).", retryAfterSeconds: seconds)
        case .unauthenticated: self.init(.unauthenticated, "The access token is invalid, or its session has ended.")
        case .tokenExpired: self.init(.tokenExpired, "Refresh the session, or sign in again.")
        case .tokenReused:
            self.init(.tokenReused, "The refresh token was already used, so its session has ended. Sign in again.")
        case .alreadyVerified: self.init(.alreadyVerified)
        case .emailUnverified:
            self.init(.emailUnverified, "Open the link in the e-mail sent to your address, or request another e-mail.")
        case .notFound: self.init(.notFound)
        case .limitReached: self.init(.limitReached)
        case .unknownSKU(let sku): self.init(.unknownSKU, "There is no SKU “\(sku.prefix(80))”.")
        case .outOfStock(let short):
            let texts = short.map { line in
                line.available == 0 ? "\(line.sku) is sold out." : "Only \(line.available) of \(line.sku) are left."
            }
            self.init(.outOfStock, texts.joined(separator: " "))
            lines = short
        case .notForSale(let skus):
            let names = skus.prefix(3).map { String($0.prefix(80)) }.joined(separator: ", ")
            self.init(.notForSale, "Not for sale: \(names)\(skus.count > 3 ? " and others" : "").")
            lines = skus.map { StockShortfall(sku: $0, available: 0) }
        case .statusConflict(let old, let new):
            let first = old == .archived ? " Restore it to withdrawn first." : ""
            self.init(
                .statusConflict,
                "A product with the status \(old.rawValue) cannot change directly to \(new.rawValue)." + first)
        case .handleTaken:
            self.init(.handleTaken, "The handle is in use. Choose another one, or change the product that has it.")
        case .skuTaken(let sku):
            self.init(.skuTaken, "\(sku.prefix(80)) is or was the SKU of another product. Choose another SKU.")
        case .stillUsed: self.init(.stillUsed, "Move the products first.")
        case .invalidPicture(let refusal): self.init(.invalidPicture, refusal.text)
        case .cartFull: self.init(.cartFull, "A cart can have at most \(ModelLimits.lines) lines.")
        case .cartEmpty: self.init(.cartEmpty)
        case .versionConflict: self.init(.versionConflict, "Read the current version, then repeat your change.")
        case .shippingRequired: self.init(.shippingRequired, "Choose a shipping method and enter an address.")
        case .unknownShippingMethod: self.init(.unknownShippingMethod)
        case .emailRequired: self.init(.emailRequired)
        case .discountInvalid: self.init(.discountInvalid)
        case .discountExpired: self.init(.discountExpired)
        case .discountExhausted: self.init(.discountExhausted)
        case .priceChanged(let found):
            self.init(.priceChanged, "Nothing was charged. Check the new total and try again.")
            changes = found
        case .paymentProviderFailed: self.init(.paymentProviderError)
        case .notCancellable: self.init(.notCancellable)
        case .refundExceedsCapture: self.init(.refundExceedsCapture)
        case .codeTaken: self.init(.codeTaken, "Change the discount that has the code, or choose another code.")
        case .stockNegative(let available):
            self.init(.stockNegative, "Only \(available) available; orders reserve the rest.")
        case .notFulfillable: self.init(.notFulfillable, "Only a paid order can be sent.")
        case .notDeliverable: self.init(.notDeliverable, "Only an order that has been sent can be delivered.")
        case .locationRequired: self.init(.locationRequired, "Add a location to the address.")
        case .deliverySettled: self.init(.deliverySettled)
        case .tooManyFollowers:
            self.init(.tooManyRequests, Self.tooManyFollowers(of: "order"), retryAfterSeconds: 5)
        case .eventExpired: self.init(.eventExpired, Self.eventsAreKept)
        case .unknownEvent:
            self.init(
                .unknownEvent, Self.eventsAreKept + " Start again without `after`; you may have missed events.")
        case .linkInvalid: self.init(.linkInvalid, "Copy the whole link from the latest e-mail, or request a new one.")
        case .linkExpired: self.init(.linkExpired)
        case .idempotencyKeyReused:
            self.init(.idempotencyKeyReused, "Use a new idempotency key for a different request.")
        case .idempotencyKeyInUse: self.init(.idempotencyKeyInUse, retryAfterSeconds: 1)
        }
    }

    private init(ride error: RideError) {
        switch error {
        case .rideInProgress: self.init(.rideInProgress, "Wait until your current ride ends, or cancel it.")
        case .quoteExpired: self.init(.quoteExpired, "Request a new quote.")
        case .quoteMismatch:
            self.init(.quoteMismatch, "Send the quote with the waypoints and option that it was made for.")
        case .tooManyFollowers:
            self.init(.tooManyRequests, Self.tooManyFollowers(of: "ride"), retryAfterSeconds: 5)
        case .rideNotCompleted: self.init(.rideNotCompleted, "The receipt is available once the ride is completed.")
        }
    }

    /// - Parameter code: the provider's reason.
    init(declineCode code: String) {
        self.init(.paymentDeclined, "Nothing was charged. Try another card.")
        declineCode = code
    }

    private static let eventsAreKept = "Events are kept for \(Int(EventLog.lifetime) / (24 * 3600)) days."

    private static func tooManyFollowers(of object: String) -> String {
        "\(OrderFeed.maxFollowers) clients already follow this \(object). Close one of them first."
    }

    static func duration(_ seconds: Int) -> String {
        switch seconds {
        case ...1: "1 second"
        case ..<120: "\(seconds) seconds"
        default: "\((seconds + 59) / 60) minutes"
        }
    }
}
