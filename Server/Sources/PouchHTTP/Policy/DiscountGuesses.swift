import Hummingbird
import PouchContract
import PouchDomain
import PouchWire

/// Limits the wrong discount codes of a network, which might otherwise try one after another: 30 in a quarter of an
/// hour on each server. Concurrent requests can exceed that.
///
/// A network beyond the limit can still buy, but not use a code.
struct DiscountGuesses: Sendable {
    static let rate = RequestRate(perSecond: 30 / Double.quarterHour, burst: 30)

    private let limiter: NetworkLimiter
    private let checkouts: CheckoutService

    init(checkouts: CheckoutService, time: any TimeSource) {
        limiter = NetworkLimiter(Self.rate, time: time)
        self.checkouts = checkouts
    }

    /// A handler within a transaction.
    func limited<Body: HasDiscountCode, Answer>(
        _ handler: @escaping @Sendable (Call<Body>, any ShopRepositories) throws -> Answer
    ) -> @Sendable (Call<Body>, any ShopRepositories) throws -> Answer {
        { call, repositories in
            try check(call)
            do {
                return try handler(call, repositories)
            } catch {
                count(error, of: call)
                throw error
            }
        }
    }

    /// A handler with an idempotency key, whose earlier answer is always repeated.
    func limited<Body: HasDiscountCode>(
        _ handler: @escaping @Sendable (Call<Body>) async throws -> Response
    ) -> @Sendable (Call<Body>) async throws -> Response {
        { call in
            do {
                try check(call)
            } catch {
                guard let key = call.key,
                    let answer = try await checkouts.earlierAnswer(to: key, of: call.principal)
                else { throw error }
                return answer.response
            }
            do {
                return try await handler(call)
            } catch {
                count(error, of: call)
                throw error
            }
        }
    }

    private func check(_ call: Call<some HasDiscountCode>) throws {
        guard call.input.discount != nil, let wait = limiter.wait(of: call.context.network) else { return }
        throw RequestProblem(
            .tooManyAttempts,
            "Too many incorrect discount codes. Buy without a code, or try again in \(RequestProblem.duration(wait)).",
            retryAfterSeconds: wait)
    }

    private func count(_ error: any Error, of call: Call<some HasDiscountCode>) {
        guard call.input.discount != nil else { return }
        switch error {
        // A search for codes also finds expired and used-up ones.
        case DomainError.discountInvalid, DomainError.discountExpired, DomainError.discountExhausted:
            limiter.count(call.context.network)
        default: break
        }
    }
}

/// A body that can have a discount code.
protocol HasDiscountCode: Sendable {
    var discount: String? { get }
}

extension DiscountRequest: HasDiscountCode {
    var discount: String? { code }
}

extension PreviewRequest: HasDiscountCode {}

extension BuyNowRequest: HasDiscountCode {}
