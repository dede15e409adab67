import PouchContract
import PouchDomain

/// Limits wrong discount codes of a network, which might otherwise try one after the other.
///
/// A network beyond the limit can still buy, but not name a code.
struct DiscountGuesses: Sendable {
    let limiter: NetworkLimiter

    func limited<Body: NamesDiscount, Answer>(
        _ handler: @escaping @Sendable (Call<Body>, any ShopRepositories) throws -> Answer
    ) -> @Sendable (Call<Body>, any ShopRepositories) throws -> Answer {
        { call, repositories in
            try check(call)
            do {
                return try handler(call, repositories)
            } catch let error as DomainError {
                count(error, of: call)
                throw error
            }
        }
    }

    func limited<Body: NamesDiscount, Answer>(
        _ handler: @escaping @Sendable (Call<Body>) async throws -> Answer
    ) -> @Sendable (Call<Body>) async throws -> Answer {
        { call in
            try check(call)
            do {
                return try await handler(call)
            } catch let error as DomainError {
                count(error, of: call)
                throw error
            }
        }
    }

    private func check(_ call: Call<some NamesDiscount>) throws {
        if call.body.discountCode != nil { try limiter.check(call.context.network) }
    }

    private func count(_ error: DomainError, of call: Call<some NamesDiscount>) {
        guard call.body.discountCode != nil else { return }
        switch error {
        // A search for codes finds expired and exhausted ones, too.
        case .discountInvalid, .discountExpired, .discountExhausted: limiter.count(call.context.network)
        default: break
        }
    }
}

/// A body that can have a discount code.
protocol NamesDiscount: Sendable {
    var discountCode: String? { get }
}

extension DiscountRequest: NamesDiscount {
    var discountCode: String? { code }
}

extension PreviewRequest: NamesDiscount {
    var discountCode: String? { discount }
}

extension BuyNowRequest: NamesDiscount {
    var discountCode: String? { discount }
}
